/** How often somebody may do something: a bucket for each, filled at a steady rate, in bounded memory. */

export interface RateLimitOptions {
  /** How many at once. */
  readonly burst: number
  readonly perMinute: number
}

interface Bucket {
  left: number
  /** Milliseconds on the caller's clock. */
  at: number
}

/** Beyond these the one not seen for longest is forgotten. */
const MAX_KEYS = 4096

export class RateLimit {
  readonly #burst: number
  readonly #perMs: number
  readonly #buckets = new Map<string, Bucket>()

  constructor({ burst, perMinute }: RateLimitOptions) {
    this.#burst = burst
    this.#perMs = perMinute / 60_000
  }

  /** Takes one. @param now milliseconds, of a clock that may be set back @returns 0, or the seconds until there is one again */
  take(key: string, now: number): number {
    const { left, at } = this.#buckets.get(key) ?? { left: this.#burst, at: now }
    const filled = Math.min(this.#burst, left + Math.max(0, now - at) * this.#perMs)
    this.#buckets.delete(key)
    this.#buckets.set(key, { left: filled < 1 ? filled : filled - 1, at: now })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > MAX_KEYS && oldest !== undefined) this.#buckets.delete(oldest)
    return filled < 1 ? Math.ceil((1 - filled) / this.#perMs / 1000) : 0
  }

  /** Gives one back that was not used. */
  give(key: string): void {
    const bucket = this.#buckets.get(key)
    if (bucket !== undefined) bucket.left += 1
  }
}
