/** Whether a directory answers, as far as its calls have shown. The operator's log hears of every change. */
import { ERRORS, type ToolError } from "../errors.ts"
import type { LogEvent } from "./lane.ts"

export class Availability {
  readonly #workdir: string
  readonly #log: LogEvent
  /** Reasons that the log has already been told, while it does not answer. */
  readonly #told = new Set<string>()

  /** @param workdir as the log is to name it */
  constructor(workdir: string, log: LogEvent) {
    this.#workdir = workdir
    this.#log = log
  }

  get answers(): boolean {
    return this.#told.size === 0
  }

  succeeded(): void {
    if (this.answers) return
    this.#told.clear()
    this.#log("workdir_available", { workdir: this.#workdir })
  }

  /** @param error WORKDIR_UNAVAILABLE. Its reasons are few: each is logged once an outage. */
  failed({ code, about }: ToolError): void {
    const reason = about.detail ?? ERRORS[code].sentence
    const advice = about.advice ?? ERRORS.WORKDIR_UNAVAILABLE.advice
    const told = `${reason}; ${advice}`
    if (this.#told.has(told)) return
    this.#told.add(told)
    this.#log("workdir_unavailable", { workdir: this.#workdir, reason, advice })
  }
}
