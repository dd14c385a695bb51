import { describe, expect, test } from "bun:test"
import { utcSeconds } from "../../src/workdir/timestamp.ts"

describe("utcSeconds()", () => {
  test.each([
    [0n, "1970-01-01T00:00:00Z"],
    [1_709_210_096_999_999_999n, "2024-02-29T12:34:56Z"],
    [-1n, "1969-12-31T23:59:59Z"],
    [-1_000_000_000n, "1969-12-31T23:59:59Z"],
    [253_402_300_799_000_000_000n, "9999-12-31T23:59:59Z"],
  ])("writes %d in whole seconds", (ns, text) => {
    expect(utcSeconds(ns)).toBe(text)
  })

  test("survives times that no calendar holds", () => {
    expect(utcSeconds(1n << 62n)).toEndWith("Z")
    expect(utcSeconds(-(1n << 62n))).toEndWith("Z")
  })
})
