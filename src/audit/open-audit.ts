/** The audit as the program runs it: stderr always, a file when one is configured, each behind a queue and a thread of its own. */
import type { LogLevel } from "../config/config.ts"
import { FaultError } from "../config/fault-error.ts"
import { systemErrorCode } from "../system-error.ts"
import type { Audit, Keep } from "./audit.ts"
import { formatLine } from "./line.ts"
import { LogFile, type LogFileOptions } from "./log-file.ts"
import { Sink } from "./sink.ts"
import { Throttle } from "./throttle.ts"

export interface AuditOptions {
  /** Events below it are left out, but for those that must always be there. */
  readonly level: LogLevel
  readonly file?: LogFileOptions | null
}

const SEVERITY: Readonly<Record<LogLevel, number>> = { DEBUG: 0, INFO: 1, WARNING: 2, ERROR: 3 }
/** Not silenced by the log level (contract §8): the audit proper, and what says that some of it is missing. */
const UNCONDITIONAL: ReadonlySet<string> = new Set(["tool_call", "audit_dropped", "audit_sink_failed"])

/** Whoever sends requests can cause these as often as they like: a few a minute are written, and the rest counted. */
const NOISY = ["auth_failed", "request_refused"]

/** Opens and closes the file, so that a bad path is a fault of the configuration and not of a thread. */
function tryFile(options: LogFileOptions): void {
  try {
    new LogFile(options, () => {}).close()
  } catch (error) {
    const reason = systemErrorCode(error) || (error instanceof Error ? error.message : "unknown")
    throw new FaultError("SERVERFS_AUDIT_FILE", `it can't be opened for appending (${reason}); name a regular file, or a new one, that this process may write to`)
  }
}

/**
 * Opens the audit. Its threads start in the background; events are queued from the first moment on.
 * @throws FaultError when the audit file can't be opened
 */
export function openAudit(options: AuditOptions): Audit {
  const floor = SEVERITY[options.level]
  if (options.file) tryFile(options.file)

  const sinks: readonly Sink[] = [
    open("stderr", { stderr: true }),
    ...(options.file ? [open("file", { file: options.file })] : []),
  ]
  const throttles = new Map(NOISY.map((name) => [name, new Throttle((suppressed) => write(name, { suppressed }, "WARNING"))]))

  function open(name: string, target: ConstructorParameters<typeof Sink>[0]): Sink {
    return new Sink(target, {
      dropped: (count) => formatLine(Date.now(), "ERROR", "audit_dropped", { sink: name, count }),
      trouble: (reason) => write("audit_sink_failed", { sink: name, reason }, "ERROR", "kept"),
    })
  }

  function write(name: string, fields: Readonly<Record<string, unknown>>, level: LogLevel, keep: Keep = "droppable"): void {
    if (SEVERITY[level] < floor && !UNCONDITIONAL.has(name)) return
    const line = formatLine(Date.now(), level, name, fields)
    for (const sink of sinks) sink.push(line, keep)
  }

  return {
    event(name, fields = {}, level = "INFO", keep = "droppable") {
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
