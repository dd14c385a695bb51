/** The audit as the program runs it: stderr always, a file when one is configured, each behind a queue and a thread of its own. */
import type { LogLevel } from "../config/config.ts"
import { asAuditFileFault } from "./audit-file-fault.ts"
import type { Audit, Keep } from "./audit.ts"
import { formatLine } from "./line.ts"
import { LogFile, type LogFileOptions } from "./log-file.ts"
import { Sink } from "./sink.ts"
import { Throttle } from "./throttle.ts"

export interface AuditOptions {
  /** Events below it are left out, but for the audit proper. */
  readonly level: LogLevel
  readonly file?: LogFileOptions | null
}

const SEVERITY: Readonly<Record<LogLevel, number>> = { DEBUG: 0, INFO: 1, WARNING: 2, ERROR: 3 }

/** Whoever sends requests can cause these as often as they like: a few a minute are written, and the rest counted. */
const NOISY = ["auth_failed", "request_refused"]

/**
 * Opens the audit. Its threads start in the background; events are queued from the first moment on.
 * @throws FaultError when the audit file can't be opened
 */
export function openAudit(options: AuditOptions): Audit {
  const floor = SEVERITY[options.level]
  const { file } = options
  // Opened and closed, so that a bad path is a fault of the configuration and not of a thread.
  if (file) asAuditFileFault(() => new LogFile(file, () => {}).close())

  const sinks: readonly Sink[] = [
    open("stderr", { stderr: true }),
    ...(file ? [open("file", { file })] : []),
  ]
  const throttles = new Map(NOISY.map((name) => [name, new Throttle((suppressed) => write(name, { suppressed }, "WARNING"))]))

  function open(name: string, target: ConstructorParameters<typeof Sink>[0]): Sink {
    return new Sink(target, {
      dropped: (count) => formatLine(Date.now(), "ERROR", "audit_dropped", { sink: name, count }),
      trouble: (reason) => write("audit_sink_failed", { sink: name, reason }, "ERROR", "kept"),
    })
  }

  function write(name: string, fields: Readonly<Record<string, unknown>>, level: LogLevel, keep: Keep = "optional"): void {
    if (keep === "optional" && SEVERITY[level] < floor) return
    const line = formatLine(Date.now(), level, name, fields)
    for (const sink of sinks) sink.push(line, keep)
  }

  return {
    event(name, fields = {}, level = "INFO", keep = "optional") {
      if (throttles.get(name)?.admit() ?? true) write(name, fields, level, keep)
    },
    get stalled() {
      return sinks.some((sink) => sink.stalled)
    },
    async close() {
      for (const throttle of throttles.values()) throttle.flush()
      await Promise.all(sinks.map((sink) => sink.close()))
    },
  }
}
