/** Durations as operators write them. */
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_536_000_000 }
const LONGEST_MS = 100 * 31_536_000_000

/** Milliseconds of "30m", "12h", "90d", "2w", "1y"; null for anything else, nothing, and more than 100 years. */
export function parseDuration(text: string): number | null {
  const [, count, unit] = /^(\d{1,9})([mhdwy])$/.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit ?? ""] ?? Number.NaN)
  return ms > 0 && ms <= LONGEST_MS ? ms : null
}
