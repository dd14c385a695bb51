/** Protocol revisions up to 2025-11-25, stateless: a fresh server a request (CVE-2026-25536), with everything shareable made once. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import type { JsonSchemaType, JsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js"
import type { Caller } from "./call.ts"
import { type Endpoint, type Methods, progressToken } from "./methods.ts"
import { INVALID_REQUEST, METHOD_NOT_FOUND, RpcError, rpcRefusal } from "./result.ts"
import type { Service } from "./service.ts"

const MAX_BATCH = 20

/** The revisions that have JSON-RPC batches; requests of the first of them carry no version header. */
const BATCHES: ReadonlySet<string | null> = new Set([null, "2024-11-05", "2025-03-26"])

const BOTH_TYPES = "application/json, text/event-stream"

/** Only elicitation, which is not offered, would validate anything; the SDK would else build an Ajv for every request. */
const validator = {
  getValidator:
    <T>(_schema: JsonSchemaType): JsonSchemaValidator<T> =>
    () => ({ valid: false, data: undefined, errorMessage: "not offered" }),
}

export function createLegacy(service: Service, methods: Methods, version: string): Endpoint {
  const info = { name: service.name, title: service.title, version }
  const options = {
    capabilities: { tools: {}, ...(service.resources === null ? {} : { resources: {} }) },
    instructions: service.instructions,
    jsonSchemaValidator: validator,
  }

  function serverFor(caller: Caller): Server {
    const server = new Server(info, options)
    // The fallback sees the request as it came: a registered handler would have it validated twice and its result once.
    server.fallbackRequestHandler = async ({ method, params }, { sendNotification }) => {
      const answer = methods.table.get(method)
      if (answer === undefined) throw new RpcError(METHOD_NOT_FOUND, "Method not found")
      if (!methods.asksForProgress(method, params)) return answer(params ?? {}, caller)
      const token = progressToken(params) ?? ""
      const progress = (done: number, total?: number): void => {
        const notice = { progressToken: token, progress: done, ...(total === undefined ? {} : { total }) }
        void sendNotification({ method: "notifications/progress", params: notice })
      }
      return answer(params ?? {}, { ...caller, progress })
    }
    return server
  }

  return async (request, body, caller) => {
    const messages: unknown[] = Array.isArray(body) ? body : [body]
    if (Array.isArray(body)) {
      if (!BATCHES.has(request.headers.get("mcp-protocol-version"))) return rpcRefusal(400, INVALID_REQUEST, "this protocol revision has no batches")
      if (body.length === 0 || body.length > MAX_BATCH) return rpcRefusal(400, INVALID_REQUEST, `a batch holds 1 to ${MAX_BATCH} messages`)
    }
    const accept = request.headers.get("accept") ?? ""
    const streams = accept.includes("text/event-stream") && messages.some((message) => asksForProgress(methods, message))
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams })
    await serverFor(caller).connect(transport)
    return transport.handleRequest(accepting(request, accept), { parsedBody: body })
  }
}

function asksForProgress(methods: Methods, message: unknown): boolean {
  if (typeof message !== "object" || message === null || !("method" in message) || !("params" in message)) return false
  return typeof message.method === "string" && methods.asksForProgress(message.method, message.params)
}

/** Every client takes JSON, whatever its Accept says; the SDK insists on both types being named. */
function accepting(request: Request, accept: string): Request {
  if (accept.includes("application/json") && accept.includes("text/event-stream")) return request
  const headers = new Headers(request.headers)
  headers.set("accept", BOTH_TYPES)
  return new Request(request.url, { method: request.method, headers })
}
