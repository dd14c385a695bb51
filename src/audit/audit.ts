/** What the rest of the program sees of the audit: one JSON line an event (contract §8). */
import type { LogLevel } from "../config/config.ts"

export interface Audit {
  /** Writes one event. `tool_call` is written whatever the log level; control and bidi characters in values are escaped. Never blocks, never throws. */
  event(name: string, fields?: Readonly<Record<string, unknown>>, level?: LogLevel): void
  /** True while more than 8 MiB wait for the sink: mutations are refused until it drains. */
  readonly stalled: boolean
  /** Waits until everything is written, 2 s at most. */
  close(): Promise<void>
}
