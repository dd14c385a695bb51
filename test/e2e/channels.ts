/** The ways to one tool: REST and both protocol eras, spoken by hand so that every byte of an answer can be looked at. */

/** What came back, as it came, and what it says. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The code of the refusal; null for a success. */
  readonly code: string | null
  /** The structured result of a success. */
  readonly value: Record<string, unknown> | null
}

/** Whom to ask, as whom. */
export interface At {
  readonly url: string
  readonly mount: string
  readonly token: string | null
}

export interface Channel {
  readonly name: string
  call(at: At, tool: string, args: object): Promise<Answer>
  /** The names of the tools that this principal is shown; null when it is shown nothing at all. */
  tools(at: At): Promise<string[] | null>
}

export const MODERN = "2026-07-28"
const LEGACY = "2025-06-18"
const META = "io.modelcontextprotocol/"

const JSON_TYPE = { "content-type": "application/json" }

function credential({ token }: At): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` }
}

/** What the HTTP edge refuses has one shape on every channel; it is that of a refusal over REST. */
async function answered(response: Response, read: (body: any) => Pick<Answer, "code" | "value">): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  const body = JSON.parse(text)
  const edge = typeof body.detail === "string" && typeof body.code === "string"
  return { status, headers, text, ...(edge ? { code: body.code, value: null } : read(body)) }
}

const ofRest = (value: any) => ({ code: null, value })

function ofRpc({ result, error }: any): Pick<Answer, "code" | "value"> {
  if (error !== undefined) return { code: error.data?.code ?? String(error.code), value: null }
  if (result.isError === true) return { code: /^[A-Z_]+/.exec(result.content[0].text)?.[0] ?? "?", value: null }
  return { code: null, value: result.structuredContent ?? result }
}

/** One JSON-RPC request of an older revision; they need no handshake here. */
export function legacy(at: At, method: string, params: object = {}, init: RequestInit = {}): Promise<Response> {
  return fetch(at.url + at.mount, {
    method: "POST",
    ...init,
    headers: { ...JSON_TYPE, accept: "application/json, text/event-stream", "mcp-protocol-version": LEGACY, ...credential(at) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  })
}

/** One JSON-RPC request of 2026-07-28, with its envelope and the headers that repeat it. */
export function modern(at: At, method: string, params: Record<string, unknown> = {}, init: RequestInit = {}): Promise<Response> {
  const name = params["name"] ?? params["uri"]
  const { _meta, ...own } = params
  const meta = { [`${META}protocolVersion`]: MODERN, [`${META}clientInfo`]: { name: "e2e", version: "1" }, [`${META}clientCapabilities`]: {}, ...(_meta as object) }
  return fetch(at.url + at.mount, {
    method: "POST",
    ...init,
    headers: { ...JSON_TYPE, accept: "application/json, text/event-stream", "mcp-protocol-version": MODERN, "mcp-method": method, ...(typeof name === "string" ? { "mcp-name": name } : {}), ...credential(at) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...own, _meta: meta } }),
  })
}

type Ask = (at: At, method: string, params?: Record<string, unknown>) => Promise<Response>

function rpcChannel(name: string, ask: Ask): Channel {
  return {
    name,
    call: async (at, tool, args) => answered(await ask(at, "tools/call", { name: tool, arguments: args }), ofRpc),
    tools: async (at) => {
      const { value } = await answered(await ask(at, "tools/list"), ofRpc)
      return value && (value["tools"] as { name: string }[]).map((tool) => tool.name)
    },
  }
}

export const REST: Channel = {
  name: "REST",
  call: async (at, tool, args) =>
    answered(await fetch(`${at.url}${at.mount}/${tool}`, { method: "POST", headers: { ...JSON_TYPE, ...credential(at) }, body: JSON.stringify(args) }), ofRest),
  tools: async (at) => {
    const { value } = await answered(await fetch(`${at.url}${at.mount}/openapi.json`, { headers: credential(at) }), ofRest)
    return value && Object.keys(value["paths"] as object).map((path) => path.slice(at.mount.length + 1))
  },
}

export const CHANNELS: readonly Channel[] = [REST, rpcChannel("legacy", legacy), rpcChannel("modern", modern)]

/** The resource channel, in both eras. */
export const RESOURCE_READERS: readonly (readonly [name: string, read: (at: At, uri: string) => Promise<Answer>])[] = [
  ["legacy", async (at, uri) => answered(await legacy(at, "resources/read", { uri }), ofRpc)],
  ["modern", async (at, uri) => answered(await modern(at, "resources/read", { uri }), ofRpc)],
]
