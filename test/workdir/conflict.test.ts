import { describe, expect, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import { applyEdits, type Edit } from "../../src/workdir/edits.ts"

const edit = (old_text: string, new_text: string, expected_count = 1): Edit => ({ old_text, new_text, expected_count })

function messageOf(source: string, ...edits: Edit[]): string {
  try {
    applyEdits(Buffer.from(source), edits, 1 << 21, "a.txt")
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
  throw new Error("no conflict")
}

describe("EDIT_CONFLICT", () => {
  test("says how often the text was found and at which lines", () => {
    expect(messageOf("foo\nbar\nfoo foo\n", edit("foo", "x"))).toStartWith("EDIT_CONFLICT: 'a.txt': old_text was found 3 times, at lines 1, 3, and expected_count is 1")
    expect(messageOf("a\nfoo\n", edit("foo", "x", 2))).toContain("found once, at line 2, and expected_count is 2")
  })

  test("names a line once, and says so when all are in it", () => {
    expect(messageOf(`a\n${"foo ".repeat(5000)}\n`, edit("foo", "x"))).toContain("found 5000 times, all in line 2, and expected_count is 1. To mend it: add text around it to old_text, or set expected_count")
    expect(messageOf(`${"foo ".repeat(50)}\n`.repeat(12), edit("foo", "x"))).toContain("found 600 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more, and expected_count is 1. To mend it: add lines around it")
    expect(messageOf("foo foo\n", edit("foo", "x", 3))).toContain("found 2 times, all in line 1, and expected_count is 3. To mend it: set expected_count")
  })

  test("lists ten lines at most", () => {
    expect(messageOf("x\n".repeat(5000), edit("x", "y"))).toContain("found 5000 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4990 more,")
  })

  test("says which edit of several it is, and that lines moved", () => {
    expect(messageOf("a\nb\n", edit("a", "1\n2"), edit("b", "x", 2))).toContain("edit 2 of 2: old_text was found once, at line 3, and expected_count is 2 (lines are counted after the edits before it)")
  })

  test.each([
    ["one\r\ntwo\r\nthree\r\n", "one\ntwo\n", 1, "line ends (CRLF against LF)"],
    ["one\ntwo\nthree\n", "two\r\nthree", 2, "line ends (CRLF against LF)"],
    ["a\n\tif (x) {\n", "    if (x) {", 2, "blanks (tabs against spaces, or how many)"],
    ["a\nx  = 1\n", "x = 1", 2, "blanks (tabs against spaces, or how many)"],
    ["a\nfoo \nbar\n", "foo\nbar", 2, "trailing blanks"],
    ["a\nfoo\nbar\n", "foo\t\nbar", 2, "trailing blanks"],
    ["a\nPort: 80\n", "port: 80", 2, "letter case"],
    ["a\nÉTÉ\n", "été", 2, "letter case"],
    ["a\r\n\tFoo\r\nbar\r\n", "  foo\nbar", 2, "line ends (CRLF against LF); blanks (tabs against spaces, or how many); letter case"],
  ])("names the line and the kind of difference: %j against %j", (source, wanted, line, kinds) => {
    expect(messageOf(source, edit(wanted, "x"))).toContain(`old_text was not found; line ${line} is nearest and differs only in: ${kinds}.`)
  })

  test.each([
    ["alpha beta\nport: 8080\nlast", "port: 8081", 2],
    ["x\nfunction foo() {\n  return 1\n}\n", "function foo() {\n  return 2\n}\n", 3],
    ["日本語の行\n漢字の別の行です\n", "漢字の別な行です", 2],
  ])("names the first line that differs otherwise: %j against %j", (source, wanted, line) => {
    expect(messageOf(source, edit(wanted, "x"))).toContain(`line ${line} is nearest and differs in its text`)
  })

  test("says so when nothing is like it", () => {
    expect(messageOf("alpha\nbeta\n", edit("zzz", "x"))).toContain("old_text was not found, nor anything like it")
    expect(messageOf("", edit("zzz", "x"))).toContain("nor anything like it")
    expect(messageOf("a\n", edit(" ", "x"))).toContain("nor anything like it")
  })

  test("says when an empty old_text is allowed", () => {
    expect(messageOf("abc", edit("", "x"))).toContain("an empty old_text fits only a completely empty file")
  })

  test("never quotes the file, nor the texts", () => {
    const message = messageOf("canary-7f3a secret\ncanary port 8080\n", edit("canary-7f3b secret", "new"))
    expect(message).toContain("line 1 is nearest")
    expect(message).not.toMatch(/canary|secret|new/)
  })

  test("takes time in proportion to the file", () => {
    const million = 1 << 20
    const start = performance.now()
    const hostile = [" ".repeat(million) + "x", `${" ".repeat(1000)}x`.repeat(1000), "\n".repeat(million), "\r".repeat(million), "x".repeat(million), "const alpha = 12\n".repeat(60_000)]
    for (const source of hostile) for (const wanted of ["y  \n", "\n".repeat(million / 2) + "q", "x".repeat(million / 4) + "wy", "const alhpa = 13\n".repeat(1000)]) messageOf(source, edit(wanted, ""))
    expect(performance.now() - start).toBeLessThan(20_000)
  }, 60_000)
})
