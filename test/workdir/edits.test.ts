import { describe, expect, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import { applyEdits, assertEdits, type Edit } from "../../src/workdir/edits.ts"

const LIMIT = 1 << 20
const BOM = "\ufeff"

const edit = (old_text: string, new_text: string, expected_count = 1): Edit => ({ old_text, new_text, expected_count })
const apply = (source: string, ...edits: Edit[]) => applyEdits(Buffer.from(source), edits, LIMIT, "a.txt").toString()

function errorOf(work: () => unknown): ToolError {
  try {
    work()
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
  throw new Error("nothing was thrown")
}

describe("applyEdits()", () => {
  test.each([
    ["abc", "b", "X", 1, "aXc"],
    ["x\r\ny  \n\tz", "y", "Y", 1, "x\r\nY  \n\tz"],
    ["aaaa", "aa", "b", 2, "bb"],
    ["ababa", "aba", "x", 1, "xba"],
    ["abab", "ab", "abab", 2, "abababab"],
    ["a$b", "$", "$& $1 $$ $` $'", 1, "a$& $1 $$ $` $'b"],
    ["a.c abc", "a.c", "x", 1, "x abc"],
    ["日本語", "本", "", 1, "日語"],
    ["e\u0301 é", "é", "e", 1, "e\u0301 e"],
    ["👍🏽", "🏽", "", 1, "👍"],
    ["end", "end", "", 1, ""],
    ["same", "same", "same", 1, "same"],
  ] as const)("makes of %j, %j → %j × %d: %j", (source, old_text, new_text, count, result) => {
    expect(apply(source, edit(old_text, new_text, count))).toBe(result)
  })

  test("lets each edit see the result of the one before", () => {
    expect(apply("alpha", edit("alpha", "beta"), edit("beta", "gamma"), edit("gam", "g", 1))).toBe("gma")
  })

  test("fills a completely empty file, a BOM alone counting as empty", () => {
    expect(apply("", edit("", "new\n"))).toBe("new\n")
    expect(apply(BOM, edit("", "new\n"))).toBe(`${BOM}new\n`)
    expect(apply("a", edit("a", ""), edit("", "b"))).toBe("b")
  })

  test("hides a BOM from matching and puts it back; adds none", () => {
    expect(apply(`${BOM}a`, edit("a", "b"))).toBe(`${BOM}b`)
    expect(errorOf(() => apply(`${BOM}a`, edit(`${BOM}a`, "b"))).code).toBe("EDIT_CONFLICT")
    expect(apply(`${BOM}a`, edit("a", ""))).toBe(BOM)
  })

  test("leaves the source as it was", () => {
    const source = Buffer.from("abc")
    applyEdits(source, [edit("b", "B")], LIMIT, "a.txt")
    expect(source.toString()).toBe("abc")
  })

  test.each([
    ["abc", edit("", "x")],
    ["", edit("", "x", 2)],
    ["", edit("a", "x")],
    ["abc", edit("B", "x")],
    ["bb", edit("b", "x")],
    ["b", edit("b", "x", 2)],
  ] as const)("refuses %j with %j: EDIT_CONFLICT", (source, wrong) => {
    expect(errorOf(() => apply(source, wrong)).code).toBe("EDIT_CONFLICT")
  })

  test("refuses a result over the limit with WRITE_TOO_LARGE, the BOM counted", () => {
    const limited = (source: string, ...edits: Edit[]) => applyEdits(Buffer.from(source), edits, 8, "a.txt").toString()
    expect(limited("abc", edit("abc", "12345678"))).toBe("12345678")
    expect(errorOf(() => limited("abc", edit("abc", "123456789"))).code).toBe("WRITE_TOO_LARGE")
    expect(errorOf(() => limited(`${BOM}abc`, edit("abc", "123456"))).code).toBe("WRITE_TOO_LARGE")
  })

  test("judges the end result: single edits may pass the limit on the way, a later conflict still comes first", () => {
    const limited = (source: string, ...edits: Edit[]) => applyEdits(Buffer.from(source), edits, 8, "a.txt").toString()
    expect(limited("abcdefgh", edit("a", "1234"), edit("bcdefgh", ""))).toBe("1234")
    expect(errorOf(() => limited("abcdefgh", edit("a", "1234"), edit("zz", ""))).code).toBe("EDIT_CONFLICT")
  })

  test("changes no more places than the write limit has bytes: TOO_MANY_EDITS", () => {
    const limited = (...edits: Edit[]) => applyEdits(Buffer.from("a".repeat(8)), edits, 8, "a.txt").toString()
    expect(limited(edit("a", "b", 8))).toBe("b".repeat(8))
    const error = errorOf(() => limited(edit("a", "b", 8), edit("bbbbbbbb", "c")))
    expect([error.code, error.message]).toEqual(["TOO_MANY_EDITS", expect.stringContaining("up to number 2 change 9 places, and the limit of one call is 8")])
  })

  test("never takes the memory that a chain of mass replacements asks for: WRITE_TOO_LARGE", () => {
    const before = process.memoryUsage.rss()
    const million = "x".repeat(LIMIT)
    const error = errorOf(() => apply(million, edit("x", "y".repeat(1000), LIMIT)))
    expect([error.code, error.message]).toEqual(["WRITE_TOO_LARGE", expect.stringContaining(`twice the write limit of ${LIMIT}`)])
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 << 20)
  })

  test("takes time in proportion to the file, whatever the text", () => {
    const start = performance.now()
    const half = "x".repeat(LIMIT / 4)
    for (const needle of [`${half}wy${half}`, `${half}${half}y`, `y${half}${half}`]) {
      expect(errorOf(() => apply("x".repeat(LIMIT), edit(needle, ""))).code).toBe("EDIT_CONFLICT")
    }
    expect(performance.now() - start).toBeLessThan(5000)
  })

  test("reports each replacement with the offsets of the text it was applied to", () => {
    const seen: unknown[] = []
    applyEdits(Buffer.from(`${BOM}aba`), [edit("a", "xy", 2), edit("b", "")], LIMIT, "a.txt", (each) => seen.push(each))
    expect(seen).toEqual([{ starts: [0, 2], removed: 1, added: 2 }, { starts: [2], removed: 1, added: 0 }])
  })
})

describe("assertEdits()", () => {
  const limits = { maxEditsPerCall: 2, maxWriteBytes: 8 }

  test("takes what is within both limits", () => {
    assertEdits([edit("aé", "bc"), edit("d", "ef")], limits, "a.txt")
  })

  test.each([
    [[edit("a", ""), edit("b", ""), edit("c", "")], "TOO_MANY_EDITS"],
    [[edit("a\0", "")], "BINARY_CONTENT_NOT_ALLOWED"],
    [[edit("a", "\0")], "BINARY_CONTENT_NOT_ALLOWED"],
    [[edit("\ud800", "")], "BINARY_CONTENT_NOT_ALLOWED"],
    [[edit("a", "\udfff")], "BINARY_CONTENT_NOT_ALLOWED"],
    [[edit("1234", "5678"), edit("9", "")], "WRITE_TOO_LARGE"],
    [[edit("éé", "éé"), edit("a", "")], "WRITE_TOO_LARGE"],
  ] as const)("refuses %j with %s", (edits, code) => {
    expect(errorOf(() => assertEdits(edits, limits, "a.txt")).code).toBe(code)
  })
})
