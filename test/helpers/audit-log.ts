import type { Audit, Keep } from "../../src/audit/audit.ts"

export interface LoggedEvent {
  readonly name: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly keep: Keep
}

/** An audit that keeps its events where a test can look at them. */
export class AuditLog implements Audit {
  readonly events: LoggedEvent[] = []
  stalled = false

  event(name: string, fields: Readonly<Record<string, unknown>> = {}, _level?: string, keep: Keep = "optional"): void {
    this.events.push({ name, fields, keep })
  }

  /** The fields of every tool_call so far. */
  get calls(): readonly Readonly<Record<string, unknown>>[] {
    return this.events.filter(({ name }) => name === "tool_call").map(({ fields }) => fields)
  }

  async close(): Promise<void> {}
}
