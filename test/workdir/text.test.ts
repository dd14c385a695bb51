import { describe, expect, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import { assertContent, assertText, bomLength } from "../../src/workdir/text.ts"

function codeOf(work: () => unknown): string {
  try {
    work()
    return "no error"
  } catch (error) {
    return error instanceof ToolError ? error.code : String(error)
  }
}

describe("assertContent()", () => {
  test("takes any well-formed text, the limit included", () => {
    for (const text of ["", "x".repeat(8), "é".repeat(4), "😀😀", "\ufeffab\r\n"]) expect(codeOf(() => assertContent(text, 8, "a.txt"))).toBe("no error")
  })

  test("counts bytes, not characters: WRITE_TOO_LARGE", () => {
    expect(codeOf(() => assertContent("é".repeat(5), 8, "a.txt"))).toBe("WRITE_TOO_LARGE")
    expect(() => assertContent("x".repeat(9), 8, "a.txt")).toThrow("'a.txt': content is 9 bytes, and the write limit is 8")
  })

  test.each(["a\0", "\ud800", "a\udc00b", "\udc00\ud800"])("refuses %j with BINARY_CONTENT_NOT_ALLOWED", (text) => {
    expect(codeOf(() => assertContent(text, 8, "a.txt"))).toBe("BINARY_CONTENT_NOT_ALLOWED")
  })
})

describe("assertText()", () => {
  test("takes a BOM, both line ends, and every plane", () => {
    for (const text of ["\ufeffa\r\nb\n", "", "\ufffd", "😀\u{10ffff}"]) expect(codeOf(() => assertText(Buffer.from(text), "a"))).toBe("no error")
  })

  test("refuses a NUL anywhere with BINARY_FILE, before bad UTF-8", () => {
    expect(codeOf(() => assertText(Buffer.from(`\xff${"x".repeat(5000)}\0`, "latin1"), "a"))).toBe("BINARY_FILE")
  })

  test.each([["ff"], ["c3"], ["c080"], ["eda080"], ["f4908080"], ["e28282c3"], ["80"]])("refuses %s with UNSUPPORTED_TEXT_ENCODING", (hex) => {
    expect(codeOf(() => assertText(Buffer.from(hex, "hex"), "a"))).toBe("UNSUPPORTED_TEXT_ENCODING")
  })
})

describe("bomLength()", () => {
  test("knows a BOM at the start alone", () => {
    expect(bomLength(Buffer.from("\ufeff"))).toBe(3)
    expect(bomLength(Buffer.from("a\ufeff"))).toBe(0)
    expect(bomLength(Buffer.from([0xef, 0xbb]))).toBe(0)
  })
})
