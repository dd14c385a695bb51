/** One mount, both protocol eras. */
import type { Calls } from "./call.ts"
import { createLegacy } from "./legacy.ts"
import { createMethods, type Endpoint } from "./methods.ts"
import { createModern, isLegacy } from "./modern.ts"
import { INVALID_REQUEST, rpcRefusal } from "./result.ts"
import type { Service } from "./service.ts"

const MAX_BATCH = 20

/** The revisions that have JSON-RPC batches; requests of the first of them carry no version header. */
const BATCHES: ReadonlySet<string | null> = new Set([null, "2024-11-05", "2025-03-26"])

export interface Mounted {
  readonly serve: Endpoint
  /** Ends every stream that would else never end. */
  close(): Promise<void>
}

export function createEndpoint(service: Service, calls: Calls, version: string): Mounted {
  const methods = createMethods(service, calls)
  const legacy = createLegacy(service, methods, version)
  const modern = createModern(service, methods, version)
  return {
    serve: async (request, body, caller) => {
      const refused = Array.isArray(body) ? batchRefusal(body, request.headers.get("mcp-protocol-version")) : null
      if (refused !== null) return refused
      return (await isLegacy(request, body)) ? legacy(request, body, caller) : modern.serve(request, body, caller)
    },
    close: modern.close,
  }
}

/** Looked at before any message of the batch is: a body of 8 MiB holds millions of them. */
function batchRefusal(batch: readonly unknown[], revision: string | null): Response | null {
  if (!BATCHES.has(revision)) return rpcRefusal(400, INVALID_REQUEST, "Invalid Request: this protocol revision has no batches")
  if (batch.length >= 1 && batch.length <= MAX_BATCH) return null
  return rpcRefusal(400, INVALID_REQUEST, `Invalid Request: a batch holds 1 to ${MAX_BATCH} messages`)
}
