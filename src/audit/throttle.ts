/** Holds a noisy event down to a few a minute and keeps count of the rest. */
const WINDOW_MS = 60_000
const EVENTS_PER_WINDOW = 10

export class Throttle {
  readonly #summary: (suppressed: number) => void
  #admitted = 0
  #suppressed = 0
  #window: ReturnType<typeof setTimeout> | null = null

  /** @param summary called at the end of a window in which something was suppressed */
  constructor(summary: (suppressed: number) => void) {
    this.#summary = summary
  }

  /** Whether the event may be written now. */
  admit(): boolean {
    this.#window ??= setTimeout(() => this.flush(), WINDOW_MS).unref()
    if (this.#admitted < EVENTS_PER_WINDOW) {
      this.#admitted++
      return true
    }
    this.#suppressed++
    return false
  }

  /** Ends the window and says what was suppressed in it. */
  flush(): void {
    if (this.#window) clearTimeout(this.#window)
    this.#window = null
    this.#admitted = 0
    const suppressed = this.#suppressed
    this.#suppressed = 0
    if (suppressed > 0) this.#summary(suppressed)
  }
}
