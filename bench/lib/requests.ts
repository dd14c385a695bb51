/** tools/call as the bytes of an HTTP request, in either protocol era. */

export type Era = "legacy" | "modern"

export const ERAS: readonly Era[] = ["legacy", "modern"]

export interface Endpoint {
  /** With its mount: http://127.0.0.1:8000/mcp. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface ToolCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

export const CLIENT_INFO = { name: "bench", version: "1" }
export const LEGACY_REVISION = "2025-11-25"
const MODERN_REVISION = "2026-07-28"

/** Of a fixed width, so that the next one can be written over it. */
const FIRST_ID = 1_000_000_000
const ID_KEY = '{"id":'

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": MODERN_REVISION,
  "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
  "io.modelcontextprotocol/clientCapabilities": {},
}

export function toolCall(endpoint: Endpoint, era: Era, { tool, args }: ToolCall): Buffer {
  const params = { name: tool, arguments: args, ...(era === "modern" ? { _meta: ENVELOPE } : {}) }
  return post(endpoint, { id: FIRST_ID, jsonrpc: "2.0", method: "tools/call", params }, headersOf(era, "tools/call", tool))
}

export function toolList(endpoint: Endpoint): Buffer {
  return post(endpoint, { id: FIRST_ID, jsonrpc: "2.0", method: "tools/list" }, headersOf("legacy"))
}

/** The same request under another id, in place: a bridge tells the calls of a session apart by it. */
export function withId(request: Buffer, id: number): Buffer {
  request.write(String(FIRST_ID + id), request.indexOf(ID_KEY) + ID_KEY.length, "latin1")
  return request
}

function headersOf(era: Era, method = "", name = ""): Record<string, string> {
  if (era === "legacy") return { "mcp-protocol-version": LEGACY_REVISION }
  return { "mcp-protocol-version": MODERN_REVISION, "mcp-method": method, "mcp-name": name }
}

function post({ url, headers }: Endpoint, message: object, more: Readonly<Record<string, string>>): Buffer {
  const { host, pathname } = new URL(url)
  const body = JSON.stringify(message)
  const all = {
    host,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
    ...more,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join("")}\r\n${body}`)
}
