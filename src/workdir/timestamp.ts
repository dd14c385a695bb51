/** Times as callers see them: UTC, whole seconds. */

/** The last moment a JavaScript Date can hold, in seconds. */
const LAST_SECOND = 8_640_000_000_000

/** Nanoseconds since the epoch → `YYYY-MM-DDTHH:MM:SSZ`. */
export function utcSeconds(ns: bigint): string {
  const seconds = Number(ns / 1_000_000_000n) - (ns < 0n && ns % 1_000_000_000n !== 0n ? 1 : 0)
  const inside = Math.max(-LAST_SECOND, Math.min(LAST_SECOND, seconds))
  return new Date(inside * 1000).toISOString().replace(/\.\d{3}Z$/, "Z")
}
