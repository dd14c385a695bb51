/** One call inside its lane: deadline, cancel, turns, progress, and slices of the mutation lock. */
import { Cancelled, ToolError } from "../errors.ts"
import type { Call } from "../operations/operation.ts"
import type { FromLane } from "./messages.ts"

/** A walk gives way this often, so that short calls of the same lane wait no longer. */
const TURN_MS = 5
const PROGRESS_EVERY_MS = 200

export class LaneCall implements Call {
  readonly #id: number
  readonly #deadline: number
  readonly #post: (message: FromLane) => void
  readonly #enter: (id: number) => void
  readonly #wantsProgress: boolean
  #cancelled = false
  #turnSince = performance.now()
  #progressAt = 0
  #told = 0
  #controller: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #granted: (() => void) | undefined

  constructor(id: number, ms: number, wantsProgress: boolean, post: (message: FromLane) => void, enter: (id: number) => void) {
    this.#id = id
    this.#deadline = performance.now() + ms
    this.#wantsProgress = wantsProgress
    this.#post = post
    this.#enter = enter
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      this.#controller = controller
      const ms = this.remainingMs()
      if (Number.isFinite(ms)) this.#timer = setTimeout(() => controller.abort(), Math.max(0, ms))
      if (this.#cancelled) controller.abort()
    }
    return this.#controller.signal
  }

  remainingMs(): number {
    return this.#deadline - performance.now()
  }

  check(): void {
    if (this.#cancelled) throw new Cancelled()
    if (this.remainingMs() <= 0) throw new ToolError("WORKDIR_UNAVAILABLE", { detail: "the call did not finish by its deadline", advice: "ask for less at a time" })
  }

  get isDue(): boolean {
    return performance.now() - this.#turnSince >= TURN_MS
  }

  async breathe(): Promise<void> {
    // Also when it goes on at once: whatever it waited for before, such as ripgrep, may have let another call in.
    if (!this.isDue) return this.#enter(this.#id)
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#resume()
    this.check()
  }

  progress(done: number, total?: number): void {
    // The protocol wants values that grow.
    if (!this.#wantsProgress || done <= this.#told) return
    const now = performance.now()
    if (now - this.#progressAt < PROGRESS_EVERY_MS) return
    this.#progressAt = now
    this.#told = done
    this.#post({ kind: "progress", id: this.#id, done, total: total ?? null })
  }

  async locked<T>(work: () => T): Promise<T> {
    this.check()
    const granted = new Promise<void>((resolve) => { this.#granted = resolve })
    this.#post({ kind: "want", id: this.#id })
    await granted
    this.#resume()
    try {
      this.check()
      return work()
    } finally {
      this.#post({ kind: "release", id: this.#id })
    }
  }

  log(event: string, fields: Readonly<Record<string, unknown>>): void {
    this.#post({ kind: "log", event, fields })
  }

  /** The main side says the client has gone. A call that waits for the lock is woken by its grant, which always comes. */
  cancel(): void {
    this.#cancelled = true
    this.#controller?.abort()
  }

  grant(): void {
    this.#granted?.()
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #resume(): void {
    this.#turnSince = performance.now()
    this.#enter(this.#id)
  }
}
