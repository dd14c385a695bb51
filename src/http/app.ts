/** The composition of the HTTP edge: guard, then credentials, then one set of routes a service. */
import { Hono } from "hono"
import type { Audit } from "../audit/audit.ts"
import type { Config } from "../config/config.ts"
import { ToolError } from "../errors.ts"
import { createCalls } from "../mcp/call.ts"
import { createEndpoint } from "../mcp/endpoint.ts"
import type { Service } from "../mcp/service.ts"
import type { Authenticator } from "./auth/authenticator.ts"
import { type Challenge, createBearer, type Env, type Peer } from "./bearer.ts"
import { createGuard } from "./guard.ts"
import { createHealth } from "./health.ts"
import { MemoryBudget } from "./memory-budget.ts"
import { methodNotAllowed, refuse, refuseAsTool } from "./refusal.ts"
import { createRest } from "./rest.ts"
import { createRpc } from "./rpc.ts"

export interface AppOptions {
  readonly services: readonly Service[]
  readonly authenticator: Authenticator
  readonly audit: Audit
  readonly config: Pick<Config, "host" | "publicUrl" | "allowedHosts" | "allowedOrigins" | "limits">
  /** Of the package, as serverInfo and OpenAPI say it. */
  readonly version: string
  readonly challenge: Challenge
}

export interface App {
  fetch(request: Request, peer?: Peer): Response | Promise<Response>
  /** For further routes, such as an authorization server's; the guard stands before them too. */
  readonly routes: Hono<Env>
  /** Ends the streams that would else never end. */
  close(): Promise<void>
}

export function createApp({ services, authenticator, audit, config, version, challenge }: AppOptions): App {
  const calls = createCalls({ audit, limits: config.limits })
  const refused = (reason: string, fields: object = {}) => audit.event("request_refused", { reason, ...fields }, "WARNING")
  const budget = new MemoryBudget((principal) => refused("memory", { principal }))
  const receiving = { timeoutMs: config.limits.callTimeoutMs, budget }
  const app = new Hono<Env>({ strict: false })
  app.use(createGuard({ ...config, refused }))
  app.route("/", createHealth(services, authenticator))

  const endpoints = services.map((service) => {
    const { mount } = service
    const endpoint = createEndpoint(service, calls, version)
    const bearer = createBearer(mount, { authenticator, audit, challenge })
    app.options(mount, () => new Response(null, { status: 204, headers: { Allow: "POST, OPTIONS" } }))
    app.post(mount, bearer, createRpc(endpoint.serve, receiving))
    app.all(mount, bearer, () => methodNotAllowed("POST, OPTIONS"))
    // Route by route: what is unknown below a mount is a plain 404, since clients probe for well-known documents there.
    app.route(mount, createRest(service, calls, { bearer, version, publicUrl: config.publicUrl, ...receiving }))
    return endpoint
  })

  app.notFound(() => refuse("not_found"))
  app.onError((error) => {
    audit.event("internal_error", { detail: error.stack ?? error.message }, "ERROR")
    return refuseAsTool(new ToolError("INTERNAL_ERROR"))
  })
  return {
    fetch: (request, peer = {}) => app.fetch(request, peer),
    routes: app,
    close: async () => {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()))
    },
  }
}
