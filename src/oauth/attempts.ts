/** Slows down whoever guesses the operator's secret: each source by itself, and all of them together. */
import { RateLimit } from "./rate-limit.ts"

interface Failures {
  count: number
  /** Milliseconds on the caller's clock: no further try before. */
  until: number
}

/** Typing errors. */
const FREE = 4
const FIRST_WAIT_MS = 60_000
/** No longer, so that nobody keeps the operator out for good from behind the same address. */
const MAX_WAIT_MS = 15 * 60_000
const MAX_SOURCES = 4096
const ALL = "all"

export class Attempts {
  readonly #failures = new Map<string, Failures>()
  /** Guesses from many sources: 8,640 a day at most, whoever makes them. */
  readonly #everybody = new RateLimit({ burst: 10, perMinute: 6 })

  /** Seconds until a try may be made; 0 = now. It counts as failed until succeeded() is called, so that tries at the same time count too. */
  begin(source: string, now: number): number {
    const failures = this.#failures.get(source) ?? { count: 0, until: 0 }
    // An end that is further off is of a clock that has been set back since.
    if (failures.until > now && failures.until <= now + MAX_WAIT_MS) return Math.ceil((failures.until - now) / 1000)
    const wait = this.#everybody.take(ALL, now)
    if (wait > 0) return wait
    const count = failures.count + 1
    const until = count <= FREE ? 0 : now + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (count - FREE - 1))
    this.#failures.delete(source)
    this.#failures.set(source, { count, until })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MAX_SOURCES && oldest !== undefined) this.#failures.delete(oldest)
    return 0
  }

  succeeded(source: string): void {
    this.#failures.delete(source)
    this.#everybody.give(ALL)
  }
}
