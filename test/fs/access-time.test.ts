import { describe, expect, test } from "bun:test"
import { type AccessTimes, accessTimes, readingWrites } from "../../src/fs/access-time.ts"

const NOW = Date.UTC(2026, 0, 2)
const HOUR = 3_600_000
const stat = (read: number, written: number, changed = written) => ({ atimeNs: BigInt(read) * 1_000_000n, mtimeNs: BigInt(written) * 1_000_000n, ctimeNs: BigInt(changed) * 1_000_000n })

describe("accessTimes()", () => {
  // ST_VALID is always there, ST_NODIRATIME is about directories.
  test.each<[number, AccessTimes]>([[0x420, "never"], [0x1420, "never"], [0x1020, "seldom"], [0x1820, "seldom"], [0x20, "always"], [0x820, "always"]])(
    "of f_flags 0x%x is %s", (flags, expected) => expect(accessTimes(flags)).toBe(expected),
  )
})

describe("readingWrites()", () => {
  test.each<[string, AccessTimes, ReturnType<typeof stat>, boolean]>([
    ["with noatime never", "never", stat(0, NOW), false],
    ["with strictatime always", "always", stat(NOW, 0), true],
    ["not when it was read since its last change, and today", "seldom", stat(NOW - HOUR, NOW - 2 * HOUR), false],
    ["when it was written since", "seldom", stat(NOW - 2 * HOUR, NOW - HOUR), true],
    ["when it was written in the same tick of the clock", "seldom", stat(NOW - HOUR, NOW - HOUR), true],
    ["when only its metadata have changed since", "seldom", stat(NOW - 2 * HOUR, NOW - 3 * HOUR, NOW - HOUR), true],
    ["when it was last read a day ago", "seldom", stat(NOW - 24 * HOUR, NOW - 48 * HOUR), true],
    ["a minute before that as well", "seldom", stat(NOW - 24 * HOUR + 60_000, NOW - 48 * HOUR), true],
    ["and not before", "seldom", stat(NOW - 24 * HOUR + 61_000, NOW - 48 * HOUR), false],
    ["not when its times are of the future", "seldom", stat(NOW + 9 * HOUR, NOW + 8 * HOUR), false],
  ])("%s", (_, times, of, expected) => expect(readingWrites(of, times, NOW)).toBe(expected))
})
