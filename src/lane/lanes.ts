/** Every directory's lanes, the lock they share, and the watchdog that keeps deadlines. */
import { ToolError } from "../errors.ts"
import type { DirectorySettings } from "../operations/operation.ts"
import { DirectoryLanes } from "./directory-lanes.ts"
import type { LogEvent } from "./lane.ts"
import { MutationLock } from "./mutation-lock.ts"
import { BEAT_MS } from "./pending-call.ts"

export class Lanes {
  readonly lock = new MutationLock()
  readonly #all: DirectoryLanes[] = []
  readonly #log: LogEvent
  readonly #ripgrep: string
  readonly #watchdog: ReturnType<typeof setInterval>

  /** @param ripgrep what starts it */
  constructor(log: LogEvent, ripgrep: string) {
    this.#log = log
    this.#ripgrep = ripgrep
    this.#watchdog = setInterval(() => this.#beat(), BEAT_MS)
    this.#watchdog.unref()
  }

  /** The lanes of one directory; no thread is started yet. */
  add(settings: Omit<DirectorySettings, "ripgrep">): DirectoryLanes {
    const lanes = new DirectoryLanes({ ...settings, ripgrep: this.#ripgrep }, this.lock, this.#log)
    this.#all.push(lanes)
    return lanes
  }

  /** Opens every directory, waiting `ms` at most; one that does not answer is unavailable until it does. */
  async open(ms: number): Promise<void> {
    const deadline = performance.now() + ms
    const context = { signal: new AbortController().signal, deadline }
    await Promise.allSettled(this.#all.map((lanes) => lanes.read("statFile", { path: "" }, context)))
  }

  /** Threads that run, over all directories. */
  get threads(): number {
    return this.#all.reduce((sum, lanes) => sum + lanes.threads, 0)
  }

  /** Those of them that are held in a system call. */
  get stuck(): number {
    return this.#all.reduce((sum, lanes) => sum + lanes.stuck, 0)
  }

  /** Before the end: whatever still runs, but a change, is to stop and to say how far it has come. Resolves once all have, after `ms` at most. */
  async interrupt(ms: number): Promise<void> {
    const reason = new ToolError("WORKDIR_UNAVAILABLE", { detail: "the gateway is being stopped", advice: "call again when it is back" })
    const answered = Promise.all(this.#all.map((lanes) => lanes.interrupt(reason)))
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, ms))])
  }

  /** Ends every thread, with what still runs in it. Those who wait for that have been told when it resolves. */
  async close(): Promise<void> {
    clearInterval(this.#watchdog)
    await Promise.all(this.#all.map((lanes) => lanes.close()))
    // Their answers pass through every layer above, a promise each.
    await new Promise((resolve) => setImmediate(resolve))
  }

  #beat(): void {
    const now = performance.now()
    for (const lanes of this.#all) lanes.beat(now)
  }
}
