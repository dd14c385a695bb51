import { describe, expect, test } from "bun:test"
import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { rgPath } from "@vscode/ripgrep"
import { Lanes } from "../../src/lane/lanes.ts"
import type { LaneContext } from "../../src/lane/pending-call.ts"
import type { Input, Output, Read } from "../../src/operations/index.ts"
import { OPERATIONS } from "../../src/operations/index.ts"
import type { DirectorySettings, Operation } from "../../src/operations/operation.ts"
import { chill, NAMES_AT_ONCE, PAGES_AT_ONCE } from "../helpers/at-once.ts"
import { decoded } from "../helpers/decoded.ts"
import { codeOf, inLane, settingsOf } from "../helpers/in-lane.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

/** A directory whose lanes have come up, and who answered its last call. */
async function opened(dir: Scratch, more: Partial<DirectorySettings> = {}) {
  const settings = settingsOf(dir.path, more)
  const lanes = new Lanes(() => {}, rgPath)
  const directory = lanes.add(settings)
  const ask = async <N extends Read>(op: N, input: Input<N>) => {
    let sent = 0
    const begin = () => {
      sent += 1
      return () => {}
    }
    const context: LaneContext = { signal: new AbortController().signal, deadline: performance.now() + 10_000, begin }
    return { answer: decoded(await directory.read(op, input, context)), by: () => (sent === 0 ? "the event loop" : "a lane") }
  }
  await ask("statFile", { path: "" })
  // A lane is asked for the directory once it has answered.
  await ask("listDirectory", { path: "", offset: 0, limit: 1 })
  await Bun.sleep(50)
  const inItsLane = <N extends Read>(op: N, input: Input<N>) => inLane(settings, OPERATIONS[op] as unknown as Operation<Input<N>, Output<N>>, input)
  return { ask, inItsLane, [Symbol.asyncDispose]: () => lanes.close() }
}

/** Who is to answer, on this filesystem. */
const forNames = NAMES_AT_ONCE ? "the event loop" : "a lane"
const forPages = PAGES_AT_ONCE ? "the event loop" : "a lane"
const expected = (op: Read) => (op === "statFile" || op === "filesStat" ? forNames : forPages)

const LINES = Array.from({ length: 3000 }, (_, at) => `line ${at + 1} – “é”\n`).join("")
const page = (path: string, more: Partial<Input<"readText">> = {}): Input<"readText"> => ({ path, from: { line: 1 }, maxLines: 100, known: null, ...more })

const SAME: readonly (readonly [string, ...({ [N in Read]: readonly [N, Input<N>] }[Read])])[] = [
  ["stat of a file", "statFile", { path: "d/text.txt" }],
  ["stat of a directory", "statFile", { path: "./d//" }],
  ["stat of a link", "statFile", { path: "d/link" }],
  ["stat of a FIFO", "statFile", { path: "d/pipe" }],
  ["stat of a name that begins with a tilde", "statFile", { path: "./~tilde" }],
  ["a first page", "readText", page("d/text.txt")],
  ["an empty file", "readText", page("d/empty.txt")],
  ["a BOM and CRLF", "readText", page("d/bom.txt")],
  ["a file of less than a BOM", "readText", page("d/two.txt")],
  ["a page with an unfinished line", "readText", page("d/short.txt")],
  ["a tail", "readText", page("d/text.txt", { from: { tail: 7 } })],
  ["a window of bytes", "readText", page("d/text.txt", { from: { byte: 12 } })],
  ["a window in the middle of a character", "readText", page("d/text.txt", { from: { byte: 8 } })],
  ["a window past the end", "readText", page("d/text.txt", { from: { byte: 1e6 } })],
]

const FILES_SAME: readonly (readonly [string, ...({ [N in Read]: readonly [N, Input<N>] }[Read])])[] = [
  ["stat of a file", "filesStat", { path: "d/text.txt" }],
  ["stat of a link", "filesStat", { path: "d/link" }],
  ["stat of a hidden file", "filesStat", { path: "d/.hidden" }],
  ["stat of a name that begins with a tilde", "filesStat", { path: "./~tilde" }],
  ["a whole file", "filesRead", { path: "d/text.txt" }],
  ["a BOM, kept", "filesRead", { path: "d/bom.txt" }],
]

const tree = () => scratch({
  "d/text.txt": LINES, "d/empty.txt": "", "d/bom.txt": "\ufeffa\r\nb\r\n", "d/two.txt": "\u00e9", "d/short.txt": "a\nb", "d/.hidden": "h", "~tilde": "t",
  "d/link": { link: "text.txt" }, "d/out": { link: "/etc/hostname" }, "d/pipe": { fifo: true }, "d/nul.txt": "a\0b", "d/latin.txt": Uint8Array.of(0x61, 0xe9, 0x0a), "d/long.txt": "x".repeat(600_000),
})
const filesOf = (dir: Scratch): Partial<DirectorySettings> => ({
  files: { configuredRoot: dir.path, maxBytes: 1_048_576, maxEntries: 10_000 }, policy: { allowHidden: true, disableDefaultDeny: true, extraDenyGlobs: [] },
})

describe("what is in memory", () => {
  test.each(SAME)("is answered by the event loop as by a lane: %s", async (_, op, input) => {
    using dir = tree()
    await using at = await opened(dir)
    // The first reading of a file is written down, by a lane.
    await at.ask(op, input as never)
    const { answer, by } = await at.ask(op, input as never)
    expect(by()).toBe(expected(op))
    expect(answer).toEqual(await at.inItsLane(op, input as never))
  })

  test.each(FILES_SAME)("is answered by the event loop as by a lane, of the Files root: %s", async (_, op, input) => {
    using dir = tree()
    await using at = await opened(dir, filesOf(dir))
    // The first reading of a file is written down, by a lane.
    await at.ask(op, input as never)
    const { answer, by } = await at.ask(op, input as never)
    expect(by()).toBe(expected(op))
    expect(answer).toEqual(await at.inItsLane(op, input as never))
  })

  test("is answered from a place that an earlier read found, and no other", async () => {
    using dir = tree()
    await using at = await opened(dir)
    const { answer } = await at.ask("readText", page("d/text.txt"))
    const checkpoint = answer.passed.find(({ line }) => line === 101)
    if (checkpoint === undefined) throw new Error("the next page's place was not remembered")
    const next = page("d/text.txt", { from: { line: 101 }, known: { revision: answer.revision, checkpoint } })
    const second = await at.ask("readText", next)
    expect([second.by(), second.answer.content.slice(0, 9)]).toEqual([forPages, "line 101 "])
    appendFileSync(dir.at("d/text.txt"), "more\n")
    const changed = await at.ask("readText", next)
    expect([changed.by(), changed.answer.content]).toEqual(["a lane", second.answer.content])
  })

  test("is the rest of a small file too, once a lane has read a part of it", async () => {
    using dir = scratch({ "a.txt": LINES.repeat(3) })
    await using at = await opened(dir)
    const tail = () => at.ask("readText", page("a.txt", { from: { tail: 1 } }))
    await tail()
    if (PAGES_AT_ONCE) await chill(dir.at("a.txt"))
    while ((await tail()).by() !== forPages) await Bun.sleep(5)
  })

  test("is what the file holds now: every change is seen by the next call", async () => {
    using dir = tree()
    await using at = await opened(dir)
    let before = ""
    for (let round = 0; round < 50; round++) {
      writeFileSync(dir.at("d/two.txt"), `${round}`)
      const read = await at.ask("readText", page("d/two.txt"))
      const stat = await at.ask("statFile", { path: "d/two.txt" })
      expect([read.answer.content, read.answer.revision]).toEqual([`${round}`, stat.answer.revision])
      expect(stat.answer.revision).not.toBe(before)
      before = stat.answer.revision
    }
    renameSync(dir.at("d"), dir.at("e"))
    expect(await codeOf(at.ask("statFile", { path: "d/two.txt" }))).toBe("PATH_NOT_FOUND")
  })

  test.each([
    ["a missing file", "statFile", { path: "d/none" }, "PATH_NOT_FOUND"],
    ["a hidden one", "statFile", { path: "d/.hidden" }, "HIDDEN_PATH_NOT_ALLOWED"],
    ["a link on the way", "statFile", { path: "d/link/x" }, "SYMLINK_NOT_ALLOWED"],
    ["a link that leads out", "readText", page("d/out"), "SYMLINK_NOT_ALLOWED"],
    ["a directory", "readText", page("d"), "NOT_A_FILE"],
    ["a FIFO", "readText", page("d/pipe"), "UNSUPPORTED_FILE_TYPE"],
    ["a binary file", "readText", page("d/nul.txt"), "BINARY_FILE"],
    ["a file in another encoding", "readText", page("d/latin.txt"), "UNSUPPORTED_TEXT_ENCODING"],
    ["a line beyond the budget", "readText", page("d/long.txt"), "LINE_TOO_LARGE"],
  ] as const)("never makes a refusal: %s is a lane's to refuse", async (_, op, input, code) => {
    using dir = tree()
    await using at = await opened(dir)
    expect(await codeOf(at.ask(op, input as never))).toBe(code)
  })

  test.each([["a link", "d/link"], ["a way back", "d/../d/text.txt"], ["a large file", "d/long.txt"]])("of the Files root, %s is for a lane", async (_, path) => {
    using dir = tree()
    await using at = await opened(dir, filesOf(dir))
    const { by, answer } = await at.ask("filesRead", { path })
    expect(by()).toBe("a lane")
    expect(answer).toEqual(await at.inItsLane("filesRead", { path }))
  })

  test("is asked of the directory that lanes have: one made anew at its path is another", async () => {
    using dir = scratch({ "root/a": "old" })
    await using at = await opened({ ...dir, path: dir.at("root") })
    const read = () => at.ask("readText", page("a"))
    expect((await read()).answer.content).toBe("old")
    rmSync(dir.at("root"), { recursive: true })
    expect(await codeOf(read())).toBe("WORKDIR_UNAVAILABLE")
    mkdirSync(dir.at("root"))
    writeFileSync(dir.at("root", "a"), "new")
    const first = await read()
    expect([first.answer.content, first.by()]).toEqual(["new", "a lane"])
    await Bun.sleep(50)
    await read()
    const second = await read()
    expect([second.answer.content, second.by()]).toEqual(["new", forPages])
  })

  test("needs no more descriptors the more is asked", async () => {
    using dir = tree()
    const held = () => readdirSync("/proc/self/fd").length
    await using at = await opened(dir)
    const before = held()
    for (let round = 0; round < 200; round++) for (const path of ["d/text.txt", "d", "d/link"]) await at.ask("statFile", { path })
    expect(held()).toBeLessThanOrEqual(before)
  })
})
