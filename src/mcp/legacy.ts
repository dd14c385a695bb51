/** Protocol revisions up to 2025-11-25, stateless: a fresh server a request (CVE-2026-25536), with everything shareable made once. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import { InitializeRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { asBatch, batchBound } from "./batch.ts"
import type { Caller } from "./call.ts"
import { type Cancellations, SESSION_HEADER } from "./cancellation.ts"
import type { Endpoint, Methods } from "./methods.ts"
import { noElicitation } from "./no-elicitation.ts"
import { progressNotices } from "./progress.ts"
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from "./result.ts"
import type { Service } from "./service.ts"

const BOTH_TYPES = "application/json, text/event-stream"
const ANY_URL = "http://localhost/"

/** This gateway has no tasks: a request that asks for one is answered as any other (revision 2025-11-25, Tasks). The SDK would refuse it. */
class WithoutTasks extends Server {
  protected override assertTaskHandlerCapability(): void {}
}

export function createLegacy(service: Service, methods: Methods, version: string, cancellations: Cancellations): Endpoint {
  const info = { name: service.name, title: service.title, version }
  const options = {
    capabilities: { tools: {}, ...(service.resources === null ? {} : { resources: {} }) },
    instructions: service.instructions,
    jsonSchemaValidator: noElicitation,
  }

  function serverFor(caller: Caller, session: string | null): Server {
    const server = new WithoutTasks(info, options)
    const bounded = batchBound()
    // The fallback sees the request as it came: a registered handler would have it validated twice and its result once.
    server.fallbackRequestHandler = async ({ method, params = {} }, { requestId, sendNotification }) => {
      const answer = methods.table.get(method)
      if (answer === undefined) throw new RpcError(METHOD_NOT_FOUND, "Method not found")
      const token = methods.progressToken(method, params)
      const told = token === undefined ? caller : { ...caller, progress: progressNotices(token, sendNotification) }
      return bounded(await cancellations.cancellable(told, session, requestId, (cancellable) => answer(params, cancellable)))
    }
    return server
  }

  return async (request, body, caller) => {
    if (isInitialize(body) && "id" in body && !InitializeRequestSchema.safeParse(body).success) return badHandshake(body.id)
    const messages: unknown[] = Array.isArray(body) ? body : [body]
    const accept = request.headers.get("accept") ?? ""
    const streams = accept.includes("text/event-stream") && messages.some((message) => wantsProgress(methods, message))
    const session = request.headers.get(SESSION_HEADER)
    for (const message of messages) cancellations.heed(message, caller, session)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams })
    await serverFor(caller, session).connect(transport)
    const answer = await transport.handleRequest(forSdk(request), { parsedBody: body })
    const response = Array.isArray(body) ? await asBatch(answer) : answer
    if (messages.some(isInitialize)) response.headers.set(SESSION_HEADER, crypto.randomUUID())
    return response
  }
}

function wantsProgress(methods: Methods, message: unknown): boolean {
  if (typeof message !== "object" || message === null || !("method" in message) || !("params" in message)) return false
  return typeof message.method === "string" && methods.progressToken(message.method, message.params) !== undefined
}

/** The SDK would say -32603, and in its validator's own words. */
function badHandshake(id: unknown): Response {
  const message = "Invalid params: initialize takes protocolVersion, capabilities and clientInfo"
  return Response.json({ jsonrpc: "2.0", id, error: { code: INVALID_PARAMS, message } })
}

function isInitialize(message: unknown): message is object {
  return typeof message === "object" && message !== null && "method" in message && message.method === "initialize"
}

/** What the SDK sees of the request. Every client takes JSON, whatever its Accept says: the SDK insists on both types being named. It parses the URL, and needs none. */
function forSdk({ method, headers: sent }: Request): Request {
  const headers = new Headers(sent)
  headers.set("accept", BOTH_TYPES)
  return new Request(ANY_URL, { method, headers })
}
