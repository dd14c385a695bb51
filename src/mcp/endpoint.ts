/** One mount, both protocol eras. */
import type { Calls } from "./call.ts"
import { createLegacy } from "./legacy.ts"
import { createMethods, type Endpoint } from "./methods.ts"
import { createModern, isLegacy } from "./modern.ts"
import type { Service } from "./service.ts"

export interface Mounted {
  readonly serve: Endpoint
  close(): Promise<void>
}

export function createEndpoint(service: Service, calls: Calls, version: string): Mounted {
  const methods = createMethods(service, calls)
  const legacy = createLegacy(service, methods, version)
  const modern = createModern(service, methods, version)
  return {
    serve: async (request, body, caller) => ((await isLegacy(request, body)) ? legacy : modern.serve)(request, body, caller),
    close: modern.close,
  }
}
