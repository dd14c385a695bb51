import { describe, expect, test } from "bun:test"
import { byCodePoint, sortNames } from "../../src/workdir/order.ts"

const NAMES = ["z", "a", "ab", "", "é", "\uffff", "😀", "中", "A", "a\u0001", "\ue000x", "𐀀"]

describe("sortNames()", () => {
  test("sorts as the bytes of UTF-8 do, with and without characters above U+FFFF", () => {
    for (const names of [NAMES, NAMES.filter((name) => !/[\ud800-\udfff]/.test(name))]) {
      const byBytes = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(sortNames([...names])).toEqual(byBytes)
      expect([...names].sort(byCodePoint)).toEqual(byBytes)
    }
  })
})
