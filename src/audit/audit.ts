/** What the rest of the program sees of the audit: one JSON line an event (contract §8). */
import type { LogLevel } from "../config/config.ts"

/**
 * What an event may be lost to. `optional` ones are left out below the log level; `droppable` and `kept` ones are the audit proper,
 * written whatever the level is. While the sink is stalled `kept` ones are queued on a reserve, and all others counted.
 * `kept` is for what was let through to change something, never for refusals: those would use the reserve up.
 */
export type Keep = "optional" | "droppable" | "kept"

export interface Audit {
  /** Writes one event, `optional` unless `keep` says otherwise; control and bidi characters in values are escaped. Never blocks, never throws. */
  event(name: string, fields?: Readonly<Record<string, unknown>>, level?: LogLevel, keep?: Keep): void
  /** True while more than 8 MiB wait for the sink: mutations are refused until it drains. */
  readonly stalled: boolean
  /** Waits until everything is written, 1 s at most. */
  close(): Promise<void>
}
