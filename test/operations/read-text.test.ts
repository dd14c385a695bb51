import { describe, expect, test } from "bun:test"
import { truncateSync, writeFileSync } from "node:fs"
import type { Operation } from "../../src/operations/operation.ts"
import { readText, type ReadTextInput } from "../../src/operations/read-text.ts"
import { codeOf, inLane, settingsOf } from "../helpers/in-lane.ts"
import { LIMITS } from "../helpers/limits.ts"
import { scratch } from "../helpers/scratch.ts"

const BOM = "\ufeff"

async function read(content: string | Uint8Array, from: ReadTextInput["from"], { maxLines = 500, budget = 64 } = {}) {
  using dir = scratch({ f: content })
  const settings = settingsOf(dir.path, { limits: { ...LIMITS, maxReadBytes: budget } })
  return await inLane(settings, readText, { path: "f", from, maxLines, known: null })
}

describe("readText() by line", () => {
  test.each([
    ["ends before the line that would pass the budget", `${"a".repeat(30)}\n${"b".repeat(30)}\n${"c".repeat(30)}\n`, 1, [2, 62, true, 3, 0, 62]],
    ["takes a line of exactly the budget", `${"a".repeat(63)}\nb`, 1, [1, 64, true, 2, 0, 64]],
    ["takes a last line of exactly the budget without a newline", "a".repeat(64), 1, [1, 64, false, null, 0, null]],
    ["gives nothing past the end", "a\nb\n", 9, [8, 0, false, null, 4, null]],
    ["counts a last line without a newline", "a\nb", 2, [2, 1, false, null, 2, null]],
    ["does not count a BOM", `${BOM}${"a".repeat(63)}\nb`, 1, [1, 64, true, 2, 0, 67]],
  ] as const)("%s", async (_, content, line, expected) => {
    const page = await read(content, { line })
    expect([page.end_line, page.bytes_returned, page.has_more, page.next_start_line, page.start_byte, page.next_start_byte]).toEqual([...expected])
  })

  test("refuses a line over the budget with LINE_TOO_LARGE, wherever it is first on a page", async () => {
    expect(await codeOf(read(`${"a".repeat(64)}\n`, { line: 1 }))).toBe("LINE_TOO_LARGE")
    expect(await codeOf(read("a".repeat(65), { line: 1 }))).toBe("LINE_TOO_LARGE")
    expect(await codeOf(read(`x\n${"a".repeat(65)}`, { line: 2 }))).toBe("LINE_TOO_LARGE")
    expect((await read(`x\n${"a".repeat(65)}`, { line: 1 })).next_start_line).toBe(2)
  })

  // A page is read in steps, the first of 16 KiB: lines around it, one that begins just there among them.
  test.each([
    [1, 16_383], [1, 16_384], [1, 16_385], [16, 1024], [17, 1024], [100, 200], [128, 1024], [129, 1024], [500, 1000],
  ])("reads %d lines of %d bytes whole, from the start and from the end", async (count, length) => {
    const lines = Array.from({ length: count + 3 }, (_, i) => `${String(i).padEnd(length - 1, "x")}\n`)
    const budget = LIMITS.maxReadBytes
    expect((await read(lines.join(""), { line: 1 }, { maxLines: count, budget })).content).toBe(lines.slice(0, count).join(""))
    expect((await read(lines.join(""), { tail: count }, { budget })).content).toBe(lines.slice(-count).join(""))
  })

  test("keeps a BOM that is not at the start of the file", async () => {
    expect((await read(`a\n${BOM}b\n`, { line: 2 })).content).toBe(`${BOM}b\n`)
  })

  test("walks through a large file from page to page, with and without what earlier pages passed", async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `line ${i + 1}\n`)
    using dir = scratch({ f: lines.join("") })
    const settings = settingsOf(dir.path)
    const first = await inLane(settings, readText, { path: "f", from: { line: 50_000 }, maxLines: 2, known: null })
    expect(first.content).toBe("line 50000\nline 50001\n")
    const checkpoint = first.passed.at(-1)
    if (checkpoint === undefined) throw new Error("nothing was learnt")
    const again = await inLane(settings, readText, { path: "f", from: { line: 50_000 }, maxLines: 2, known: { revision: first.revision, checkpoint } })
    expect(again.content).toBe(first.content)
    const stale = await inLane(settings, readText, { path: "f", from: { line: 50_000 }, maxLines: 2, known: { revision: "v1:other", checkpoint: { line: 50_000, offset: 0 } } })
    expect(stale.content).toBe(first.content)
  })
})

describe("readText() from the end", () => {
  test.each([
    ["the last lines", "a\nb\nc\n", 2, "b\nc\n", 2],
    ["a last line without a newline", "a\nb\nc", 2, "b\nc", 2],
    ["everything when there are fewer", "a\nb\n", 9, "a\nb\n", 0],
    ["empty lines", "a\n\n\n", 2, "\n\n", 2],
    ["nothing of an empty file", "", 3, "", 0],
    ["as many lines as the budget holds", `${"x".repeat(39)}\n`.repeat(3), 3, `${"x".repeat(39)}\n`, 80],
    ["without a BOM", `${BOM}a\n`, 3, "a\n", 0],
  ])("gives %s", async (_, content, tail, expected, start) => {
    const page = await read(content, { tail })
    expect([page.content, page.start_byte, page.has_more, page.start_line]).toEqual([expected, start, false, null])
  })

  test("refuses a last line over the budget with LINE_TOO_LARGE", async () => {
    expect(await codeOf(read("x".repeat(65), { tail: 1 }))).toBe("LINE_TOO_LARGE")
    expect(await codeOf(read(`a\n${"x".repeat(64)}\n`, { tail: 1 }))).toBe("LINE_TOO_LARGE")
    expect((await read(`a\n${"x".repeat(63)}\n`, { tail: 1 })).bytes_returned).toBe(64)
    // A BOM does not count.
    expect((await read(`\ufeff${"x".repeat(63)}\n`, { tail: 1 })).bytes_returned).toBe(64)
    expect(await codeOf(read(`\ufeff${"x".repeat(64)}\n`, { tail: 1 }))).toBe("LINE_TOO_LARGE")
    expect((await read(`\ufeff${"aaaaaaa\n".repeat(8)}`, { tail: 8 })).start_byte).toBe(0)
  })
})

describe("readText() by byte", () => {
  test("gives whole characters that fit together again", async () => {
    const text = "aé中😀".repeat(20)
    let whole = ""
    for (let byte: number | null = 0; byte !== null;) {
      const page = await read(text, { byte }, { budget: 7 })
      expect(page.bytes_returned).toBeLessThanOrEqual(7)
      expect(page.start_byte).toBe(byte)
      whole += page.content
      byte = page.next_start_byte
    }
    expect(whole).toBe(text)
  })

  test("begins at the next character when asked for the middle of one", async () => {
    const page = await read("a😀b", { byte: 2 })
    expect([page.content, page.start_byte]).toEqual(["b", 5])
  })

  test("ends at max_lines, and gives nothing past the end", async () => {
    expect((await read("a\nb\nc\n", { byte: 0 }, { maxLines: 2 })).content).toBe("a\nb\n")
    expect((await read("abc", { byte: 99 })).content).toBe("")
  })

  test("refuses a file that ends inside a character with UNSUPPORTED_TEXT_ENCODING", async () => {
    expect(await codeOf(read(Buffer.from([0x61, 0xf0, 0x9f]), { byte: 0 }))).toBe("UNSUPPORTED_TEXT_ENCODING")
  })
})

describe("readText()", () => {
  test("refuses a NUL beyond the first 1,024 bytes only on the page that holds it", async () => {
    const content = Buffer.concat([Buffer.from("a\n".repeat(700)), Buffer.from([0, 0x0a])])
    expect((await read(content, { line: 1 }, { maxLines: 2 })).content).toBe("a\na\n")
    expect(await codeOf(read(content, { line: 701 }))).toBe("BINARY_FILE")
  })

  test("refuses the root with NOT_A_FILE", async () => {
    using dir = scratch()
    expect(await codeOf(inLane(settingsOf(dir.path), readText, { path: "", from: { line: 1 }, maxLines: 1, known: null }))).toBe("NOT_A_FILE")
  })

  test("says WORKDIR_UNAVAILABLE, not PATH_NOT_FOUND, when the whole directory has gone", async () => {
    const dir = scratch({ f: "a" })
    const gone: Operation<ReadTextInput, unknown> = (directory, input, call) => {
      dir[Symbol.dispose]()
      return readText(directory, input, call)
    }
    expect(await codeOf(inLane(settingsOf(dir.path), gone, { path: "f", from: { line: 1 }, maxLines: 1, known: null }))).toBe("WORKDIR_UNAVAILABLE")
  })

  test("reads the tail of a 2 GB file without reading the file", async () => {
    using dir = scratch({ f: "" })
    truncateSync(dir.at("f"), 2 ** 31)
    writeFileSync(dir.at("f"), "start\n", { flag: "r+" })
    const before = process.memoryUsage().rss
    expect(await codeOf(inLane(settingsOf(dir.path), readText, { path: "f", from: { tail: 1 }, maxLines: 1, known: null }))).toBe("BINARY_FILE")
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20)
  })
})
