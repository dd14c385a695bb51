/** What the rest of the program sees of the audit: one JSON line an event (contract §8). */
import type { LogLevel } from "../config/config.ts"

/**
 * What happens to an event while the sink is stalled: `droppable` ones are counted, `kept` ones are queued on a reserve.
 * `kept` is for calls that were let through to change something, never for refusals: those would use the reserve up.
 */
export type Keep = "droppable" | "kept"

export interface Audit {
  /** Writes one event. `tool_call` is written whatever the log level; control and bidi characters in values are escaped. Never blocks, never throws. */
  event(name: string, fields?: Readonly<Record<string, unknown>>, level?: LogLevel, keep?: Keep): void
  /** True while more than 8 MiB wait for the sink: mutations are refused until it drains. */
  readonly stalled: boolean
  /** Waits until everything is written, 1 s at most. */
  close(): Promise<void>
}
