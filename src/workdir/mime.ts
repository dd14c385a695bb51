/** MIME types by name: a small table of what agents meet; everything else is application/octet-stream. */

/** Maps, since a file may well be called `constructor`. */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map(Object.entries({
  c: "text/x-c", cc: "text/x-c++", cfg: "text/plain", conf: "text/plain", cpp: "text/x-c++", css: "text/css", csv: "text/csv",
  diff: "text/x-diff", gif: "image/gif", go: "text/x-go", gz: "application/gzip", h: "text/x-c", hpp: "text/x-c++", htm: "text/html",
  html: "text/html", ini: "text/plain", java: "text/x-java", jpeg: "image/jpeg", jpg: "image/jpeg", js: "text/javascript",
  json: "application/json", jsonl: "application/jsonl", jsx: "text/javascript", log: "text/plain", lua: "text/x-lua", md: "text/markdown",
  mjs: "text/javascript", mp3: "audio/mpeg", mp4: "video/mp4", patch: "text/x-diff", pdf: "application/pdf", php: "text/x-php",
  png: "image/png", py: "text/x-python", rb: "text/x-ruby", rs: "text/x-rust", rst: "text/x-rst", sh: "text/x-shellscript", sql: "application/sql",
  svg: "image/svg+xml", tar: "application/x-tar", toml: "application/toml", ts: "text/x-typescript", tsv: "text/tab-separated-values",
  tsx: "text/x-typescript", txt: "text/plain", wasm: "application/wasm", wav: "audio/wav", webp: "image/webp", xml: "application/xml",
  yaml: "application/yaml", yml: "application/yaml", zip: "application/zip",
}))

const BY_NAME: ReadonlyMap<string, string> = new Map(Object.entries({ Dockerfile: "text/plain", LICENSE: "text/plain", Makefile: "text/x-makefile", README: "text/plain" }))

export function mimeType(name: string): string {
  const dot = name.lastIndexOf(".")
  const byExtension = dot > 0 ? BY_EXTENSION.get(name.slice(dot + 1).toLowerCase()) : undefined
  return byExtension ?? BY_NAME.get(name) ?? "application/octet-stream"
}
