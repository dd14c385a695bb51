/** Requests as a hostile or broken client would make them: most get as far as a tool, the rest stop at every earlier gate. */
import type { Chance } from "./chance.ts"
import { anything, argumentsFor, path, text } from "./values.ts"

export interface FuzzTool {
  readonly mount: string
  readonly name: string
  readonly inputSchema: Readonly<Record<string, any>>
}

/** What is known of the product under test, and what it has said so far. */
export interface Known {
  readonly tools: readonly FuzzTool[]
  readonly token: string
  readonly revisions: readonly string[]
}

export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

const MODERN = "2026-07-28"
const META = "io.modelcontextprotocol/"
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07", "1999-01-01", "", "x"]
const METHODS = ["tools/list", "resources/list", "resources/templates/list", "resources/read", "ping", "initialize", "server/discover", "prompts/list", "completion/complete", "logging/setLevel", "notifications/initialized", "notifications/cancelled", "roots/list", "tools/call/x", "", "__proto__", "rpc.discover"]
const ROUTES = ["/", "/mcp", "/files-mcp", "/mcp/", "/healthz", "/health", "/readyz", "/metrics", "/mcp/openapi.json", "/files-mcp/openapi.json", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/register", "/authorize", "/token", "/revoke", "/sse", "/mcp/sse", "/favicon.ico", "/..%2f..%2fetc/passwd", "/mcp/../etc", "/%00", "/mcp?token=x", "/mcp;x", "//mcp", "/mcp/list_workdirs/extra"]
const ODD_HEADERS: readonly (readonly [string, string])[] = [
  ["accept", "text/html"], ["accept", "*/*"], ["accept", ""], ["accept-encoding", "gzip"], ["content-encoding", "gzip"], ["content-type", "text/plain"], ["content-type", "application/json; charset=utf-16"], ["content-type", ""],
  ["origin", "https://evil.example"], ["origin", "null"], ["origin", "http://localhost"], ["mcp-session-id", "x".repeat(300)], ["last-event-id", "1"], ["x-forwarded-for", "1.2.3.4, 5.6.7.8"], ["x-forwarded-host", "evil"], ["forwarded", "for=1.2.3.4"],
  ["cf-connecting-ip", "999.1.1.1"], ["x-http-method-override", "DELETE"], ["range", "bytes=0-1"], ["expect", "x"], ["cookie", "a=b"], ["if-none-match", "*"], ["mcp-method", "tools/list"], ["mcp-name", "x"], ["mcp-protocol-version", MODERN], ["upgrade", "websocket"],
  ["x-long", "y".repeat(5000)], ["x-bytes", "\u00ff\u00fe"], ["te", "trailers"], ["authorization", "Bearer x"], ["authorization", "Basic eDp5"], ["authorization", "Bearer"], ["authorization", ""],
]

export function nextRequest(chance: Chance, known: Known): FuzzRequest {
  switch (chance.below(20)) {
    case 0: return oddRoute(chance, known)
    case 1: return brokenBody(chance, known)
    case 2: return send(chance, known, rpcMount(chance), envelope(chance, chance.pick(METHODS), params(chance)))
    case 3: return send(chance, known, rpcMount(chance), anything(chance))
    case 4: return oauth(chance, known)
    case 5: case 6: case 7: return call(chance, known, true)
    case 8: case 9: case 10: return call(chance, known, false)
    default: return rest(chance, known)
  }
}

const rpcMount = (chance: Chance): string => chance.pick(["/mcp", "/files-mcp"])

function toolFor(chance: Chance, known: Known): FuzzTool {
  const tool = chance.pick(known.tools)
  // Each starts a process: one in ten of its turns is enough.
  return tool.name === "search_text" && !chance.oneIn(10) ? chance.pick(known.tools) : tool
}

function rest(chance: Chance, known: Known): FuzzRequest {
  const tool = toolFor(chance, known)
  return send(chance, known, `${tool.mount}/${tool.name}`, argumentsFor(chance, tool.inputSchema, known.revisions))
}

function call(chance: Chance, known: Known, modern: boolean): FuzzRequest {
  const tool = toolFor(chance, known)
  const name = chance.oneIn(40) ? text(chance) : tool.name
  const given = { name, arguments: argumentsFor(chance, tool.inputSchema, known.revisions), ...(chance.oneIn(10) ? { _meta: { progressToken: chance.pick([1, "p", null, {}, []]) } } : {}) }
  if (!modern) return send(chance, known, tool.mount, envelope(chance, "tools/call", given))
  const meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientInfo`]: { name: "fuzz", version: "1" }, [`${META}clientCapabilities`]: {} }
  const withMeta = chance.oneIn(20) ? given : { ...given, _meta: { ...meta, ...given._meta } }
  const headers = chance.oneIn(20) ? [] : [["mcp-protocol-version", MODERN], ["mcp-method", "tools/call"], ["mcp-name", headerSafe(name)]] as const
  return send(chance, known, tool.mount, envelope(chance, "tools/call", withMeta), headers)
}

function params(chance: Chance): unknown {
  return chance.oneIn(3) ? anything(chance) : { uri: `serverfs://${chance.pick(["work", "look", "none", ""])}/${chance.oneIn(2) ? encodeURI(path(chance).toWellFormed()) : path(chance)}` }
}

function envelope(chance: Chance, method: string, given: unknown): unknown {
  if (chance.oneIn(40)) return chance.list(3, () => envelope(chance, method, given))
  return {
    jsonrpc: chance.oneIn(50) ? anything(chance) : "2.0",
    ...(chance.oneIn(30) ? {} : { id: chance.oneIn(20) ? anything(chance) : chance.below(1000) }),
    method: chance.oneIn(60) ? anything(chance) : method,
    ...(chance.oneIn(30) ? {} : { params: given }),
  }
}

function oddRoute(chance: Chance, known: Known): FuzzRequest {
  const method = chance.pick(["GET", "GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "PROPFIND", "X"])
  return { ...send(chance, known, chance.pick(ROUTES), anything(chance)), method }
}

/** Forms and queries for the authorization server; no address that would be connected to. */
function oauth(chance: Chance, known: Known): FuzzRequest {
  const names = ["client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method", "scope", "resource", "state", "grant_type", "code", "code_verifier", "refresh_token", "token"]
  const values = ["", "code", "S256", "authorization_code", "refresh_token", "https://localhost/cb", "https://127.0.0.1/c.json", "javascript:alert(1)", "mcp", text(chance), path(chance)]
  const form = new URLSearchParams(chance.list(8, (): [string, string] => [chance.pick(names), chance.pick(values).toWellFormed()])).toString()
  const where = chance.pick(["/authorize", "/token", "/register", "/revoke"])
  const address = ["x-forwarded-for", `10.${chance.below(256)}.${chance.below(256)}.${chance.below(256)}`] as const
  if (where === "/authorize" && chance.oneIn(2)) return { method: "GET", path: `${where}?${form}`, headers: [["host", "gate.example"], address], body: new Uint8Array() }
  const json = JSON.stringify({ redirect_uris: chance.list(3, () => chance.pick(values)), client_name: text(chance), token_endpoint_auth_method: chance.pick(["none", "x"]) })
  const isForm = where !== "/register" && !chance.oneIn(10)
  return {
    method: "POST", path: where,
    headers: [["host", "gate.example"], address, ["content-type", isForm ? "application/x-www-form-urlencoded" : "application/json"], ...(chance.oneIn(4) ? [] : [["origin", "https://gate.example"]] as const), ...mischief(chance, known)],
    body: Buffer.from(isForm ? form : json),
  }
}

/** JSON with a bit turned, an end missing, or no JSON at all. */
function brokenBody(chance: Chance, known: Known): FuzzRequest {
  const whole = call(chance, known, chance.oneIn(2))
  const body = Uint8Array.from(whole.body)
  switch (chance.below(4)) {
    case 0: return { ...whole, body: body.subarray(0, chance.below(body.length + 1)) }
    case 1: return { ...whole, body: Buffer.from(chance.pick(["", "null", "[]", "[[]]", "{", "\ufeff{}", "1e999", '{"a":1}{"b":2}', "[".repeat(50_000), '{"jsonrpc":"2.0","jsonrpc":"1.0"}', "\ud800"])) }
    case 2: return { ...whole, body: crypto.getRandomValues(new Uint8Array(chance.below(200))) }
    default: {
      for (let i = 0; i <= chance.below(4); i++) body[chance.below(body.length)] = chance.below(256)
      return { ...whole, body }
    }
  }
}

function send(chance: Chance, known: Known, to: string, body: unknown, headers: FuzzRequest["headers"] = []): FuzzRequest {
  const legacy = chance.oneIn(4) ? [["mcp-protocol-version", chance.pick(LEGACY)]] as const : []
  return {
    method: "POST",
    path: to,
    headers: [
      ["host", chance.oneIn(60) ? chance.pick(["evil.example", "", "localhost:1", "[::1]", "localhost.", "LOCALHOST"]) : "localhost"],
      ["content-type", "application/json"],
      ["accept", "application/json, text/event-stream"],
      ...(headers.length > 0 ? headers : legacy),
      ...mischief(chance, known),
    ],
    body: Buffer.from(JSON.stringify(body) ?? "", "utf8"),
  }
}

/** The credential, as a rule; now and then something else besides or instead. */
function mischief(chance: Chance, known: Known): FuzzRequest["headers"] {
  const credential = chance.oneIn(50) ? [] : [["authorization", `Bearer ${known.token}`]] as const
  return chance.oneIn(12) ? [...credential, chance.pick(ODD_HEADERS)] : credential
}

const headerSafe = (name: string): string => name.replaceAll(/[^\x21-\x7e]/g, "?").slice(0, 200)
