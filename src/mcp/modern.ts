/** Protocol revision 2026-07-28: no handshake, an envelope in every request. The SDK checks envelope and headers. */
import { createMcpHandler, isLegacyRequest, Server } from "@modelcontextprotocol/server"
import type { Caller } from "./call.ts"
import type { Envelopes } from "./envelopes.ts"
import type { Endpoint, Methods } from "./methods.ts"
import { noElicitation } from "./no-elicitation.ts"
import { progressNotices } from "./progress.ts"
import type { Service } from "./service.ts"

/** How long a client may keep a list: it changes only when the gateway is restarted or the token's rights are. */
const LIST_TTL_MS = 60_000

/** The SDK's own routing test: what carries no envelope is of an older revision. */
export const isLegacy = isLegacyRequest

export interface Modern {
  readonly serve: Endpoint
  /** Ends every open subscription stream. */
  close(): Promise<void>
}

interface Exchange {
  readonly caller: Caller
  readonly method: string
  readonly meta: object
  /** Whether the client takes an event stream. */
  readonly streams: boolean
}

export function createModern(service: Service, methods: Methods, version: string, envelopes: Envelopes): Modern {
  const info = { name: service.name, title: service.title, version }
  const options = {
    capabilities: { tools: {}, ...(service.resources === null ? {} : { resources: {} }) },
    instructions: service.instructions,
    jsonSchemaValidator: noElicitation,
  }
  /** The SDK's factory is told the request and nothing else of ours. */
  const exchanges = new WeakMap<Request, Exchange>()

  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const server = new Server(info, options)
      const exchange = requestInfo === undefined ? undefined : exchanges.get(requestInfo)
      const answer = exchange === undefined ? undefined : methods.table.get(exchange.method)
      // Without a handler the SDK itself answers -32601 with HTTP 404, as this revision wants.
      if (exchange === undefined || answer === undefined) return server
      server.fallbackRequestHandler = async ({ method, params = {} }, { mcpReq }) => {
        envelopes.learn(exchange.meta)
        const token = exchange.streams ? methods.progressToken(method, params) : undefined
        const caller = token === undefined ? exchange.caller : { ...exchange.caller, progress: progressNotices(token, mcpReq.notify) }
        return cacheable(method, await answer(params, caller))
      }
      return server
    },
    { legacy: "reject" },
  )

  return {
    serve: (request, body, caller) => {
      // The SDK streams as soon as something is told on the way; a client that does not name streams gets JSON (protocol §0.3).
      const streams = request.headers.get("accept")?.includes("text/event-stream") === true
      exchanges.set(request, { caller, method: methodOf(body), meta: metaOf(body), streams })
      return handler.fetch(request, { parsedBody: body })
    },
    close: () => handler.close(),
  }
}

function cacheable(method: string, result: Record<string, unknown>): Record<string, unknown> {
  return method.endsWith("/list") ? { ...result, ttlMs: LIST_TTL_MS, cacheScope: "private" } : result
}

function methodOf(body: unknown): string {
  return typeof body === "object" && body !== null && "method" in body && typeof body.method === "string" ? body.method : ""
}

function metaOf(body: unknown): object {
  const params = typeof body === "object" && body !== null && "params" in body ? body.params : undefined
  const meta = typeof params === "object" && params !== null && "_meta" in params ? params._meta : undefined
  return typeof meta === "object" && meta !== null ? meta : {}
}
