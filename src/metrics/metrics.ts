/**
 * What Prometheus is told: calls as the audit sees them, and the state of the threads at the moment of asking. Labels are
 * services, tools, codes and configured aliases, and nothing a caller can make up: no call can add a series of its own.
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client"
import { countChildren } from "./children.ts"

/** What is looked at when Prometheus asks. */
export interface Vitals {
  readonly lanes: { readonly threads: number; readonly stuck: number; readonly lock: { readonly waiting: number } }
  readonly audit: { readonly stalled: boolean }
}

export interface MetricsOptions {
  readonly version: string
  /** Of the configured workdirs. */
  readonly aliases: readonly string[]
  readonly vitals: Vitals
}

export interface FinishedCall {
  readonly service: string
  readonly tool: string
  /** As the caller gave it, if at all. */
  readonly workdir: string | null
  /** null = it succeeded. */
  readonly code: string | null
  readonly seconds: number
}

export interface Metrics {
  finished(call: FinishedCall): void
  refusedCredential(): void
  /** The text exposition, and its content type. */
  text(): Promise<string>
  readonly contentType: string
}

/** From a stat out of the cache to the longest search, and the deadline of a call. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 55]

export function createMetrics({ version, aliases, vitals }: MetricsOptions): Metrics {
  const known = new Set(aliases)
  const registry = new Registry()
  const registers = [registry]

  const calls = new Counter({
    name: "serverfs_calls_total",
    help: "Calls that were answered; code is ok, or the error's.",
    labelNames: ["service", "tool", "workdir", "code"],
    registers,
  })
  const durations = new Histogram({
    name: "serverfs_call_duration_seconds",
    help: "Time from a call's arrival to its answer.",
    labelNames: ["service", "tool"],
    buckets: SECONDS,
    registers,
  })
  const refused = new Counter({ name: "serverfs_auth_failures_total", help: "Requests with a credential that is not good.", registers })

  new Gauge({ name: "serverfs_info", help: "1; the version is in the label.", labelNames: ["version"], registers }).set({ version }, 1)
  gauge("serverfs_lane_threads", "Threads that work for directories.", () => vitals.lanes.threads)
  gauge("serverfs_lane_threads_stuck", "Those of them that are held in a system call.", () => vitals.lanes.stuck)
  gauge("serverfs_mutations_waiting", "Changes that wait for the lock.", () => vitals.lanes.lock.waiting)
  gauge("serverfs_ripgrep_children", "ripgrep processes that run.", countChildren)
  gauge("serverfs_audit_stalled", "1 while the audit can't be written and changes are refused.", () => Number(vitals.audit.stalled))

  function gauge(name: string, help: string, look: () => number): void {
    registry.registerMetric(new Gauge({ name, help, registers: [], collect() { this.set(look()) } }))
  }

  return {
    finished({ service, tool, workdir, code, seconds }) {
      calls.inc({ service, tool, workdir: workdir !== null && known.has(workdir) ? workdir : "", code: code ?? "ok" })
      durations.observe({ service, tool }, seconds)
    },
    refusedCredential: () => refused.inc(),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
