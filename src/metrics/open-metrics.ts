/** The metrics as SERVERFS_METRICS asks for them. */
import type { Audit } from "../audit/audit.ts"
import type { Config, MetricsConfig } from "../config/config.ts"
import type { App } from "../http/app.ts"
import type { BearerOptions } from "../http/bearer.ts"
import { listen } from "../http/server.ts"
import { VERSION } from "../version.ts"
import type { Metrics, Vitals } from "./metrics.ts"
import { observedAudit } from "./observed-audit.ts"
import { addMetricsRoute, createMetricsApp } from "./routes.ts"

const LOOPBACK = "127.0.0.1"

export class OpenMetrics {
  readonly #metrics: Metrics
  readonly #port: number | null
  #stop: (() => Promise<void>) | undefined

  constructor(metrics: Metrics, { port }: MetricsConfig) {
    this.#metrics = metrics
    this.#port = port
  }

  /** The audit whose events are counted. */
  observed(audit: Audit): Audit {
    return observedAudit(audit, this.#metrics)
  }

  /** On the app, or on their own port. Throws ListenError. */
  serve(app: App, options: BearerOptions): void {
    if (this.#port === null) return addMetricsRoute(app.routes, this.#metrics, options)
    const { stop } = listen({ host: LOOPBACK, port: this.#port, trustedProxies: [] }, createMetricsApp(this.#metrics), "SERVERFS_METRICS")
    this.#stop = stop
  }

  async stop(): Promise<void> {
    await this.#stop?.()
  }
}

/** null while they are off: nothing of them is loaded then. */
export async function openMetrics({ metrics, workdirs }: Pick<Config, "metrics" | "workdirs">, vitals: Vitals): Promise<OpenMetrics | null> {
  if (metrics === null) return null
  const { createMetrics } = await import("./metrics.ts")
  return new OpenMetrics(createMetrics({ version: VERSION, aliases: workdirs.map(({ alias }) => alias), vitals }), metrics)
}
