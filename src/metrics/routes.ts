/** Where the metrics are read: behind the bearer check as a mount of its own, or on a loopback port of their own. */
import { Hono } from "hono"
import type { App } from "../http/app.ts"
import { type BearerOptions, createBearer, type Env } from "../http/bearer.ts"
import { createGuard } from "../http/guard.ts"
import { onlyRead, refuse } from "../http/refusal.ts"
import { METRICS_MOUNT } from "../service-mounts.ts"
import type { Metrics } from "./metrics.ts"

function exposition(metrics: Metrics) {
  return async () => new Response(await metrics.text(), { headers: { "Content-Type": metrics.contentType } })
}

/** For the gateway's own app. Aliases are labels, so a token that may not see every workdir may not see these either. */
export function addMetricsRoute(routes: Hono<Env>, metrics: Metrics, options: BearerOptions): void {
  const bearer = createBearer(METRICS_MOUNT, options)
  const answer = exposition(metrics)
  routes.get(METRICS_MOUNT, bearer, (context) => {
    if (context.get("principal").workdirs === null) return answer()
    const challenge = options.challenge("insufficient_scope", METRICS_MOUNT)
    return refuse("insufficient_scope", "this token is for some workdirs alone, and metrics are about all of them", { "WWW-Authenticate": challenge })
  })
  routes.all(METRICS_MOUNT, bearer, onlyRead)
}

/** An app of its own, for a loopback port: whoever is on this machine may read it, a web page may not. */
export function createMetricsApp(metrics: Metrics): Pick<App, "fetch" | "close"> {
  const app = new Hono<Env>({ strict: false })
  app.use(createGuard({ host: "127.0.0.1", publicUrl: null, allowedHosts: [], allowedOrigins: [] }))
  app.get(METRICS_MOUNT, exposition(metrics))
  app.all(METRICS_MOUNT, onlyRead)
  app.notFound(() => refuse("not_found"))
  return { fetch: (request, peer = {}) => app.fetch(request, peer), close: async () => {} }
}
