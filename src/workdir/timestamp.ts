/** Times as callers see them: UTC, whole seconds. */

/** The last moment a JavaScript Date can hold, in seconds. */
const LAST_SECOND = 8_640_000_000_000

const FRACTION = ".000Z"

/** Whole seconds since the epoch → `YYYY-MM-DDTHH:MM:SSZ`. */
export function utcTime(seconds: number): string {
  const inside = Math.max(-LAST_SECOND, Math.min(LAST_SECOND, seconds))
  return `${new Date(inside * 1000).toISOString().slice(0, -FRACTION.length)}Z`
}

/** The same for nanoseconds, rounded down. */
export function utcSeconds(ns: bigint): string {
  return utcTime(Number(ns / 1_000_000_000n) - (ns < 0n && ns % 1_000_000_000n !== 0n ? 1 : 0))
}
