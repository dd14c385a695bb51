import { describe, expect, test } from "bun:test"
import { unifiedDiff } from "../../src/workdir/diff.ts"
import { applyEdits, type Edit } from "../../src/workdir/edits.ts"
import { cut, type Kept, keptWhole } from "../../src/workdir/kept.ts"
import { previewEdits } from "../../src/workdir/preview.ts"

const LIMIT = 1 << 20

function run(before: string, edits: readonly Edit[], path = "a.txt"): { after: string; diff: string; kept: Kept[] } {
  const source = Buffer.from(before)
  let kept = keptWhole(source.length)
  const after = applyEdits(source, edits, LIMIT, path, (replacement) => { kept = cut(kept, replacement) })
  return { after: after.toString(), diff: unifiedDiff(path, source, after, kept), kept }
}

const edit = (old_text: string, new_text: string, expected_count = 1): Edit => ({ old_text, new_text, expected_count })
const lines = (...all: string[]) => all.map((line) => `${line}\n`).join("")

/** What patch(1) would make of it; throws where a context or removed line is not the one in the text. */
function patched(before: string, diff: string): string {
  const split = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const source = split(before)
  const out: string[] = []
  let at = 0
  const rows = diff.split("\n").slice(2, -1)
  for (const [index, row] of rows.entries()) {
    const hunk = /^@@ -(\d+),(\d+) \+\d+,\d+ @@$/.exec(row)
    if (hunk !== null) {
      const start = Number(hunk[1]) - (Number(hunk[2]) === 0 ? 0 : 1)
      out.push(...source.slice(at, start))
      at = start
      continue
    }
    if (row.startsWith("\\")) continue
    const text = row.slice(1) + (rows[index + 1]?.startsWith("\\") ? "" : "\n")
    if (!row.startsWith("+") && source[at++] !== text) throw new Error(`not in the source: ${row}`)
    if (!row.startsWith("-")) out.push(text)
  }
  return [...out, ...source.slice(at)].join("")
}

describe("unifiedDiff()", () => {
  test("shows a changed line between three lines of context", () => {
    const before = lines("1", "2", "3", "4", "five", "6", "7", "8", "9")
    expect(run(before, [edit("five", "5")]).diff).toBe(lines("--- a/a.txt", "+++ b/a.txt", "@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-five", "+5", " 6", " 7", " 8"))
  })

  test("leaves equal lines of old_text and new_text in the context", () => {
    const { diff } = run(lines("a", "b", "c"), [edit("a\nb\nc\n", "a\nB\nc\n")])
    expect(diff).toBe(lines("--- a/a.txt", "+++ b/a.txt", "@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"))
  })

  test("joins changes whose contexts touch and parts the others", () => {
    const near = Array.from({ length: 20 }, (_, index) => (index === 2 || index === 9 || index === 17 ? "x" : String(index)))
    expect(run(lines(...near), [edit("x", "y", 3)]).diff.match(/^@@.*$/gm)).toEqual(["@@ -1,13 +1,13 @@", "@@ -15,6 +15,6 @@"])
  })

  test("marks a last line without a newline on each side", () => {
    expect(run("a", [edit("a", "b")]).diff).toBe(lines("--- a/a.txt", "+++ b/a.txt", "@@ -1,1 +1,1 @@", "-a", "\\ No newline at end of file", "+b", "\\ No newline at end of file"))
    expect(run("a\nb", [edit("b", "b\n")]).diff).toContain("-b\n\\ No newline at end of file\n+b\n")
    expect(run("a\nb\n", [edit("b\n", "b")]).diff).toContain("-b\n+b\n\\ No newline at end of file\n")
  })

  test("names the line before for an empty side", () => {
    expect(run("", [edit("", "a\n")]).diff).toContain("@@ -0,0 +1,1 @@\n+a\n")
    expect(run("a\n", [edit("a\n", "")]).diff).toContain("@@ -1,1 +0,0 @@\n-a\n")
  })

  test("puts a TAB behind a name with blanks, as patch(1) wants it, and quotes one that would break the line", () => {
    expect(run("a\n", [edit("a", "b")], "g h.txt").diff).toStartWith("--- a/g h.txt\t\n+++ b/g h.txt\t\n@@ ")
    expect(run("a\n", [edit("a", "b")], "g\nh").diff).toStartWith('--- "a/g\\nh"\n+++ "b/g\\nh"\n@@ ')
  })

  test("is empty when nothing changed", () => {
    expect(run("a\n", [edit("a", "a")]).diff).toBe("")
    expect(run("a\n", [edit("a", "b"), edit("b", "a")]).diff).toBe("")
  })

  test("keeps a carriage return and quotes a path that would break the header", () => {
    expect(run("a\r\nb\r\n", [edit("b", "c")]).diff).toContain(" a\r\n-b\r\n+c\r\n")
    expect(run("a", [edit("a", "b")], "x\n+++ y").diff.split("\n")[0]).toBe('--- "a/x\\n+++ y"')
  })

  test("turns the source into the result, for any chain of edits", () => {
    let seed = 1
    const random = (below: number) => (seed = (seed * 48271) % 0x7fffffff) % below
    const text = (most: number) => Array.from({ length: random(most + 1) }, () => "ab\n\n"[random(4)]).join("")
    let applied = 0
    for (let round = 0; round < 4000; round++) {
      const before = text(14)
      const edits: Edit[] = []
      let now = before
      for (let step = 0; step <= random(3); step++) {
        const from = random(now.length + 1)
        const old_text = now.slice(from, from + 1 + random(4))
        if (old_text === "") continue
        const new_text = text(5)
        edits.push(edit(old_text, new_text, now.split(old_text).length - 1))
        now = now.replaceAll(old_text, () => new_text)
      }
      const { after, diff } = run(before, edits)
      expect(after).toBe(now)
      expect(patched(before, diff)).toBe(after)
      if (before !== after) applied++
    }
    expect(applied).toBeGreaterThan(2000)
  })

  test("is linear: 100,000 changed places", () => {
    const before = "x\n".repeat(100_000)
    const start = performance.now()
    const { diff, after } = run(before, [edit("x", "y", 100_000)])
    expect(performance.now() - start).toBeLessThan(3000)
    expect(diff.length).toBeGreaterThan(after.length)
  })
})

describe("cut()", () => {
  test("keeps exactly the bytes that no edit touched", () => {
    expect(run("abcabc", [edit("b", "XYZ", 2)]).kept).toEqual([{ from: 0, at: 0, length: 1 }, { from: 2, at: 4, length: 2 }, { from: 5, at: 9, length: 1 }])
    expect(run("abc", [edit("b", ""), edit("ac", "Q")]).kept).toEqual([])
  })
})

describe("previewEdits()", () => {
  const BOM = "\ufeff"
  test.each([
    ["its first line changes", `${BOM}one\r\ntwo\r\n`, edit("one", "1")],
    ["its first line is context", `${BOM}one\ntwo\nthree\n`, edit("two", "2")],
    ["only later lines are shown", `${BOM}${"x\n".repeat(20)}last\n`, edit("last", "end")],
    ["it holds nothing else", BOM, edit("", "hello\n")],
    ["it comes to hold nothing else", `${BOM}a`, edit("a", "")],
  ])("shows a BOM where patch(1) looks for it: %s", (_when, before, change) => {
    const { result, diff } = previewEdits(Buffer.from(before), [change], LIMIT, "a.txt")
    expect(patched(before, diff)).toBe(result.toString())
    expect(result.toString().startsWith(BOM)).toBe(true)
  })
})
