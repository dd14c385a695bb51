/** Authorization requests that wait for the operator: kept here and not in the page, each good for one answer from one browser. */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { digestOf } from "../state/token-text.ts"

const KEPT_MS = 10 * 60_000
/** A stranger may make them, so the oldest goes when there are more. */
const MAX_KEPT = 256

interface Kept<T> {
  readonly value: T
  readonly browser: Uint8Array
  readonly until: number
}

/** @param browser the text of the cookie that the browser was given */
export class Pending<T> {
  readonly #kept = new Map<string, Kept<T>>()

  /** @returns the id that the page's form carries: 128 random bits, never in a URL */
  add(value: T, browser: string, now: number): string {
    const id = randomBytes(16).toString("base64url")
    for (const [each, { until }] of this.#kept) if (until <= now || this.#kept.size >= MAX_KEPT) this.#kept.delete(each)
    this.#kept.set(id, { value, browser: digestOf(browser), until: now + KEPT_MS })
    return id
  }

  /** Null when it is not known (any more), or another browser's. */
  find(id: string, browser: string, now: number): T | null {
    const kept = this.#kept.get(id)
    if (kept === undefined || kept.until <= now || !timingSafeEqual(kept.browser, digestOf(browser))) return null
    return kept.value
  }

  /** Finds it, once. */
  take(id: string, browser: string, now: number): T | null {
    const value = this.find(id, browser, now)
    if (value !== null) this.#kept.delete(id)
    return value
  }
}
