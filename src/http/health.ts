/** /healthz: the event loop answers. /readyz: the gateway serves; with a credential, how each directory is (contract §7). */
import { Hono } from "hono"
import type { Service } from "../mcp/service.ts"
import type { Authenticator } from "./auth/authenticator.ts"
import type { Env } from "./bearer.ts"
import { onlyRead } from "./refusal.ts"

export function createHealth(services: readonly Service[], authenticator: Authenticator): Hono<Env> {
  const health = new Hono<Env>({ strict: false })
  for (const path of ["/healthz", "/health"]) health.get(path, (context) => context.json({ status: "ok" }))

  health.get("/readyz", (context) => {
    const verdict = authenticator.verify(context.req.raw.headers.get("authorization"), null)
    if ("refused" in verdict) return context.json({ status: "ready" })
    const { principal } = verdict
    const mine = services.filter((service) => principal.mounts?.has(service.mount) !== false)
    const directories = mine.map((service) => [service.name, Object.fromEntries(service.health(principal).map(({ name, status }) => [name, status]))])
    return context.json({ status: "ready", services: Object.fromEntries(directories) })
  })
  for (const path of ["/healthz", "/health", "/readyz"]) health.all(path, onlyRead)
  return health
}
