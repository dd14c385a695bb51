/** An audit that is counted on the way: contract §8 gives exactly one tool_call event a call, so the metrics can't disagree with it. */
import type { Audit } from "../audit/audit.ts"
import type { Metrics } from "./metrics.ts"

type Fields = Readonly<Record<string, unknown>>

const text = (value: unknown): string | null => (typeof value === "string" ? value : null)

function count(metrics: Metrics, name: string, fields: Fields): void {
  if (name === "auth_failed") return metrics.refusedCredential()
  if (name !== "tool_call") return
  metrics.finished({
    service: text(fields["service"]) ?? "",
    tool: text(fields["tool"]) ?? "",
    workdir: text(fields["workdir"]),
    code: text(fields["error_code"]),
    seconds: Number(fields["duration_ms"]) / 1000,
  })
}

export function observedAudit(audit: Audit, metrics: Metrics): Audit {
  return {
    event(name, fields = {}, level, keep) {
      count(metrics, name, fields)
      audit.event(name, fields, level, keep)
    },
    get stalled() {
      return audit.stalled
    },
    close: () => audit.close(),
  }
}
