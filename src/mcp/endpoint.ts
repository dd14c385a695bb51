/** One mount, both protocol eras. */
import { isTooWide } from "./bounds.ts"
import type { Calls } from "./call.ts"
import { Cancellations } from "./cancellation.ts"
import { Envelopes } from "./envelopes.ts"
import { accounted } from "./json-response.ts"
import { createLegacy } from "./legacy.ts"
import { createMethods, type Endpoint } from "./methods.ts"
import { createModern, isLegacy } from "./modern.ts"
import { createOrdinary } from "./ordinary.ts"
import { INVALID_REQUEST, rpcRefusal } from "./result.ts"
import type { Service } from "./service.ts"

export const MAX_BATCH = 20

/** The revisions that have JSON-RPC batches; requests of the first of them carry no version header. */
const BATCHES: ReadonlySet<string | null> = new Set([null, "2024-11-05", "2025-03-26"])

export interface Mounted {
  readonly serve: Endpoint
  /** Ends every stream that would else never end. */
  close(): Promise<void>
}

export function createEndpoint(service: Service, calls: Calls, version: string): Mounted {
  const methods = createMethods(service, calls)
  const cancellations = new Cancellations()
  const envelopes = new Envelopes()
  const ordinary = createOrdinary({ service, methods, calls, cancellations, envelopes, version })
  const legacy = createLegacy(service, methods, version, cancellations)
  const modern = createModern(service, methods, version, envelopes)
  return {
    serve: async (request, body, caller) => {
      const problem = problemOf(body, request.headers.get("mcp-protocol-version"))
      if (problem !== null) return rpcRefusal(400, INVALID_REQUEST, `Invalid Request: ${problem}`)
      const answer = ordinary(request, body, caller)
      if (answer !== null) return answer
      const judge = (await isLegacy(request, body)) ? legacy : modern.serve
      return accounted(await judge(request, body, caller), caller.unsent)
    },
    close: modern.close,
  }
}

/** What is wrong with a body as a whole; looked at before any SDK looks at its messages. */
function problemOf(body: unknown, revision: string | null): string | null {
  if (!Array.isArray(body)) return isTooWide(body) ? "the message is too large beside its arguments" : null
  if (!BATCHES.has(revision)) return "this protocol revision has no batches"
  if (body.length === 0 || body.length > MAX_BATCH) return `a batch holds 1 to ${MAX_BATCH} messages`
  if (hasIdTwice(body)) return "two requests of a batch have the same id"
  return body.some(isTooWide) ? "a message is too large beside its arguments" : null
}

/** The SDK would answer one of the two requests, and leave the other undone without a word. */
function hasIdTwice(messages: readonly unknown[]): boolean {
  const requests = messages.filter((message) => typeof message === "object" && message !== null && "method" in message && "id" in message)
  return new Set(requests.map(({ id }) => id)).size < requests.length
}
