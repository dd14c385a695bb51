/** Where an authorization's answer may go: which URIs are acceptable at all, and when one is the registered one. */

export interface RedirectTarget {
  readonly uri: string
  /** `web`: a site. `loopback`: any program on the browser's own machine. `app`: whichever program took the scheme there. */
  readonly kind: "web" | "loopback" | "app"
  /** The part that cannot lie, as the browser will understand it: host (and port), or `scheme:`. */
  readonly place: string
  /** For the consent page's `form-action`, which browsers apply to redirects too. */
  readonly cspSource: string
}

const MAX_CHARS = 1024
// Printable ASCII without quotes, backslash and the like: what a browser could read in another way than we do.
const PLAIN = /^[!#-;=?-[\]_a-z~]+$/i
// A host may hold `;` by the URL standard, which would end a directive of the page's policy.
const HOST = /^([a-z0-9-]+\.)*[a-z0-9-]+\.?$/i
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?([/?].*)?$/i
/** Schemes by which a browser or the system itself would run, read or show something. */
const DANGEROUS = new Set(["javascript", "data", "vbscript", "blob", "file", "filesystem", "about", "view-source", "ws", "wss", "ftp", "intent", "mailto", "tel", "sms"])

/** What the URI leads to; null = no answer ever goes there. */
export function redirectTarget(uri: string): RedirectTarget | null {
  if (uri.length > MAX_CHARS || !PLAIN.test(uri) || uri.includes("#") || !URL.canParse(uri)) return null
  const url = new URL(uri)
  if (url.username !== "" || url.password !== "") return null
  const scheme = url.protocol.slice(0, -1)
  if (scheme === "https") return /^https:\/\/[^/?]/i.test(uri) && HOST.test(url.hostname) ? { uri, kind: "web", place: url.host, cspSource: url.origin } : null
  // CSP has no way to name an IPv6 host.
  if (scheme === "http") return LOOPBACK.test(uri) ? { uri, kind: "loopback", place: url.host, cspSource: url.hostname === "[::1]" ? "http:" : url.origin } : null
  return DANGEROUS.has(scheme) ? null : { uri, kind: "app", place: url.protocol, cspSource: url.protocol }
}

/** Equal to the letter; only a loopback's port, which a program takes as it comes, is left out (RFC 8252 §7.3). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  return registered.some((each) => each === uri || (LOOPBACK.test(uri) && LOOPBACK.test(each) && withoutPort(each) === withoutPort(uri)))
}

function withoutPort(loopback: string): string {
  return loopback.replace(LOOPBACK, "$1$3")
}

/** The URI with the answer's parameters; its own query stays as it is. */
export function answerUrl(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, value)
  return `${uri}${uri.includes("?") ? "&" : "?"}${query}`
}
