/** When reading a file writes down that it was read: mount(8), noatime, relatime and strictatime. */
import { ST } from "./flags.ts"
import type { Stat } from "./stat.ts"

export type AccessTimes = "never" | "seldom" | "always"

/** The kernel writes after a day, by its own clock; a lane may as well do it a minute early. */
const SELDOM_MS = 24 * 3_600_000 - 60_000
const NS_PER_MS = 1_000_000n

/** @param flags f_flags of statfs(2) */
export function accessTimes(flags: number): AccessTimes {
  if ((flags & ST.NOATIME) !== 0) return "never"
  return (flags & ST.RELATIME) !== 0 ? "seldom" : "always"
}

/** With relatime a file's first reading after a change is written down, and then one a day. @param now in ms since the epoch */
export function readingWrites({ atimeNs, mtimeNs, ctimeNs }: Pick<Stat, "atimeNs" | "mtimeNs" | "ctimeNs">, times: AccessTimes, now: number): boolean {
  if (times !== "seldom") return times === "always"
  return mtimeNs >= atimeNs || ctimeNs >= atimeNs || now - Number(atimeNs / NS_PER_MS) >= SELDOM_MS
}
