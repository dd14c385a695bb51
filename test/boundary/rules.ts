/** The architecture as a program: which way imports may point, and which file may use which power. */
import { isBuiltin } from "node:module"
import { posix as path } from "node:path"

/** What each layer may import besides itself, in the order of a request's journey. `leaf` is what every layer may see. */
const FLOW: Readonly<Record<string, readonly string[]>> = {
  main: ["cli", "config", "confine", "gateway"],
  gateway: ["audit", "cli", "config", "confine", "http", "lane", "metrics", "oauth", "search", "services", "state", "leaf"],
  cli: ["audit", "config", "confine", "doctor", "gateway", "http", "search", "state", "leaf"],
  doctor: ["cli", "config", "confine", "fs", "search", "state", "workdir", "leaf"],
  http: ["audit", "config", "mcp", "metrics", "oauth", "state", "leaf", "hono"],
  oauth: ["audit", "config", "http", "mcp", "state", "leaf", "hono", "zod"],
  services: ["config", "lane", "mcp", "operations", "workdir", "leaf", "zod"],
  metrics: ["audit", "config", "http", "lane", "mcp", "leaf", "hono", "prom-client"],
  mcp: ["audit", "config", "leaf", "zod"],
  lane: ["config", "fs", "operations", "workdir", "leaf"],
  operations: ["config", "fs", "search", "workdir", "leaf"],
  search: ["config", "fs", "workdir", "leaf"],
  fs: ["workdir", "leaf"],
  workdir: ["config", "leaf"],
  confine: ["config", "leaf"],
  audit: ["config", "leaf"],
  state: ["config", "leaf", "bun:sqlite"],
  config: ["leaf"],
  leaf: [],
}

/** Pure parts of the platform: they reach nothing outside the process's own memory, but for the clock and the random source. */
const HARMLESS: readonly string[] = ["node:buffer", "node:path", "node:util", "node:crypto", "node:os", "node:net"]

/** Layers that only types and pure code may come from: at run time they would pull a lane's code into the event loop. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = {
  services: ["operations"],
  metrics: ["lane"],
}

/** A command of the operator's that looks at the host from outside the boundary. The gateway never loads it: only cli/ may. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  doctor: ["Bun", "process", "fetch", "Worker", "self", "import.meta", "node:fs"],
}

/** Who may ask an unsafe file of another layer for something. */
const UNSAFE_CALLERS: readonly string[] = ["operations/search-text.ts", "doctor/break-out/try-way.ts", "doctor/checks/ripgrep.ts"]

/** Files that may do more than their layer, and with what. A new line here is a security review. */
export const POWER: Readonly<Record<string, readonly string[]>> = {
  "main.ts": ["process", "import()"],
  "gateway.ts": ["process", "import()"],
  "descriptors.ts": ["node:fs"],
  "hang-up.ts": ["node:fs"],
  "cli/own-environment.ts": ["node:fs"],
  "cli/startup-fields.ts": ["Bun"],
  "cli/stdout.ts": ["node:fs"],
  "cli/run-command-line.ts": ["process", "import.meta"],
  "cli/runners.ts": ["process", "import()"],
  "cli/commands/serve.ts": ["import()"],
  "cli/commands/healthcheck.ts": ["node:http"],
  "cli/commands/read-secret.ts": ["node:readline", "node:stream"],
  "cli/commands/follow-lines.ts": ["node:fs", "node:timers/promises"],
  "config/directories/audit-file.ts": ["node:fs"],
  "config/directories/directory.ts": ["node:fs"],
  "config/load-in-time.ts": ["Worker", "import.meta"],
  "config/load.worker.ts": ["self"],
  "config/directories/may-hang.ts": ["node:fs"],
  "config/directories/mounts.ts": ["node:fs"],
  "config/small-file.ts": ["node:fs"],
  "config/directories/spot.ts": ["node:fs"],
  "confine/facts.ts": ["Bun", "import.meta", "node:fs"],
  "confine/handover.ts": ["node:fs", "process"],
  "confine/landlock.unsafe.ts": ["bun:ffi"],
  "confine/probe.ts": ["node:fs"],
  "confine/reexec.ts": ["node:fs"],
  "confine/ruleset.ts": ["node:fs"],
  "audit/sink.ts": ["Worker", "import.meta"],
  "audit/sink.worker.ts": ["self"],
  "audit/log-file.ts": ["node:fs"],
  "audit/write-all.ts": ["node:fs"],
  "oauth/document/fetch-document.ts": ["fetch", "node:dns/promises"],
  "state/operator-secret.ts": ["Bun"],
  "state/private-directory.ts": ["node:fs", "process"],
  "http/server.ts": ["Bun"],
  "lane/lane.ts": ["Worker", "import.meta"],
  "lane/lane.worker.ts": ["self"],
  "metrics/children.ts": ["node:fs"],
  "metrics/open-metrics.ts": ["import()"],
  "mcp/legacy.ts": ["@modelcontextprotocol/sdk"],
  "mcp/modern.ts": ["@modelcontextprotocol/server"],
  "workdir/revision.ts": ["Bun"],
  "fs/flags.ts": ["process"],
  "fs/libc.unsafe.ts": ["bun:ffi", "process"],
  "search/ripgrep-in-memory.ts": ["node:fs"],
  "search/ripgrep-on-disk.ts": ["import.meta", "import()", "@vscode/ripgrep"],
  "search/ripgrep.unsafe.ts": ["Bun"],
}

const AMBIENT = [
  "Bun", "process", "globalThis", "global", "self", "window", "require", "module", "exports", "fetch", "eval", "Function", "Worker", "SharedWorker",
  "WebSocket", "EventSource", "XMLHttpRequest", "WebAssembly", "ShadowRealm", "HTMLRewriter", "Loader", "import.meta",
]

/** Ways from any value to the Function constructor or to another module system. */
const REFLECTION = /\.constructor\b|\[\s*["'`]constructor["'`]\s*\]|\b__proto__\b|\bReflect\s*\.\s*construct\b|\bgetPrototypeOf\b/

// `define` rewrites free identifiers only: a string, property or parameter of the same name does not count.
const transpilers = new Map(["ts", "tsx"].map((loader) => [loader, new Bun.Transpiler({
  loader: loader as "ts" | "tsx",
  tsconfig: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "hono/jsx" } },
  define: Object.fromEntries(AMBIENT.map((name, i) => [name, `__ambient_${i}`])),
})]))

/** For .tsx the scanner also reports what JSX could be compiled to; each such file says hono/jsx itself. */
function isWritten({ kind, path: to }: { kind: string; path: string }): boolean {
  return kind !== "require-call" || !(to === "react" || to.startsWith("hono/jsx/"))
}

function layerOf(file: string): string {
  if (file.includes("/")) return file.slice(0, file.indexOf("/"))
  return file === "main.ts" ? "main" : file === "gateway.ts" ? "gateway" : "leaf"
}

function packageOf(specifier: string): string {
  if (specifier.startsWith("node:") || specifier.startsWith("bun:")) return specifier
  if (isBuiltin(specifier)) return `node:${specifier}`
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/") || specifier
}

function powersOf(js: string): string[] {
  const bare = js.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""')
  const powers = [...js.matchAll(/__ambient_(\d+)/g)].map((match) => AMBIENT[Number(match[1])] ?? "?")
  if (/\bimport\s*\(/.test(bare)) powers.push("import()")
  // Bun writes `module.require` as `require` itself.
  if (/\brequire\s*\(/.test(bare)) powers.push("require")
  if (REFLECTION.test(js)) powers.push("reflection")
  return powers
}

function againstTheFlow(file: string, to: string, typeOnly: boolean): string | null {
  const target = path.join(path.dirname(file), to)
  if (target.startsWith("../")) return target === "../package.json" && file === "version.ts" ? null : `imports ${to}, outside src`
  const here = layerOf(file), there = layerOf(target)
  const sibling = here === "services" && there === here && target.split("/").length > 2 && file.split("/").length > 2
  if (sibling && target.split("/")[1] !== file.split("/")[1]) return `imports ${to}, a sibling service`
  if (target.endsWith(".unsafe.ts") && there !== here && !UNSAFE_CALLERS.includes(file)) return `imports ${to}, which is for ${there}/ alone`
  if (there === here) return null
  if (!FLOW[here]?.includes(there)) return `imports ${to}, against the flow`
  return TYPES_ONLY[here]?.includes(there) && !typeOnly ? `imports ${to} at run time; only its types are for ${here}/` : null
}

/** What is wrong with one file of src/, as sentences; none = it keeps to its layer. */
export function violations(file: string, source: string): string[] {
  const transpiler = transpilers.get(path.extname(file).slice(1))
  if (transpiler === undefined) return ["is not a .ts or .tsx file, and Bun would load it all the same"]
  const js = transpiler.transformSync(source)
  const powers = powersOf(js)
  const bad: string[] = []

  // Erased type imports have no power, but they still say which way a layer looks.
  const written = [...source.matchAll(/^\s*(?:import|export)\b[^"';]*?\bfrom\s+["']([^"']+)["']/gm)].map((match) => match[1] ?? "")
  const atRunTime = transpiler.scanImports(source).filter(isWritten).map((found) => found.path)
  for (const to of new Set([...written, ...atRunTime])) {
    const runs = atRunTime.includes(to)
    if (to.startsWith(".")) bad.push(againstTheFlow(file, to, !runs) ?? "")
    else if (runs && !HARMLESS.includes(packageOf(to)) && !FLOW[layerOf(file)]?.includes(packageOf(to))) powers.push(packageOf(to))
  }
  // A descriptor's number is for fs/ alone; `z.number()` and the like are calls.
  if (layerOf(file) !== "fs" && /\.number\b(?!\s*\()/.test(js)) bad.push("reads a descriptor's number")
  const granted = [...(POWER[file] ?? []), ...(OUTSIDE[layerOf(file)] ?? [])]
  const unlisted = new Set(powers.filter((name) => !granted.includes(name)))
  return [...bad.filter((each) => each !== ""), ...[...unlisted].map((name) => `uses ${name}`)]
}
