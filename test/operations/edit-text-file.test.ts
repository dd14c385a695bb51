import { describe, expect, test } from "bun:test"
import { chmodSync, chownSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import type { Limits } from "../../src/config/config.ts"
import type { Edit } from "../../src/workdir/edits.ts"
import { asNobody } from "../helpers/as-nobody.ts"
import { codeOf } from "../helpers/in-lane.ts"
import { edit, mutating, STALE } from "../helpers/mutate.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

const BOM = "\ufeff"

describe("editTextFile()", () => {
  test("changes the match and not a byte besides", async () => {
    using dir = scratch({ "a.txt": `${BOM}one\r\ntwo  \n\tthree` })
    const at = mutating(dir.path)
    const before = await at.revision("a.txt")
    const done = await at.edit("a.txt", [edit("two", "2")], before)
    expect(done).toEqual({ path: "a.txt", edited: true, bytes_before: 20, bytes_after: 18, revision: await at.revision("a.txt"), diff: null })
    expect(done.revision).not.toBe(before)
    expect(readFileSync(dir.at("a.txt"), "utf8")).toBe(`${BOM}one\r\n2  \n\tthree`)
    expect(readdirSync(dir.path)).toEqual(["a.txt"])
  })

  test("keeps mode and owner", async () => {
    using dir = scratch({ "a.sh": "one" })
    const at = mutating(dir.path)
    for (const mode of [0o755, 0o600, 0o4755, 0o2711, 0o1644]) {
      chmodSync(dir.at("a.sh"), mode)
      const { uid, gid } = statSync(dir.at("a.sh"))
      await at.edit("a.sh", [edit("one", "one.")])
      const after = statSync(dir.at("a.sh"))
      expect([after.mode & 0o7777, after.uid, after.gid]).toEqual([mode, uid, gid])
    }
  })

  test("returns the diff of a dry run and touches nothing, its directory included", async () => {
    using dir = scratch({ "d/a.txt": `${BOM}one\ntwo\n` })
    const at = mutating(dir.path)
    const [revision, parent] = [await at.revision("d/a.txt"), await at.revision("d")]
    const shown = await at.dryRun("d/a.txt", [edit("two", "2")])
    expect(shown).toEqual({
      path: "d/a.txt",
      edited: false,
      bytes_before: 11,
      bytes_after: 9,
      revision,
      diff: `--- a/d/a.txt\n+++ b/d/a.txt\n@@ -1,2 +1,2 @@\n ${BOM}one\n-two\n+2\n`,
    })
    expect([await at.revision("d/a.txt"), await at.revision("d")]).toEqual([revision, parent])
  })

  test("refuses in a dry run whatever it would refuse in earnest", async () => {
    using dir = scratch({ "a.txt": "one" })
    const at = mutating(dir.path)
    expect(await codeOf(at.dryRun("a.txt", [edit("two", "")]))).toBe("EDIT_CONFLICT")
    expect(await codeOf(at.dryRun("a.txt", [edit("one", "")], STALE))).toBe("REVISION_CONFLICT")
  })

  test("makes a new version of a file even when the edits come to the same text, so that of two callers one wins", async () => {
    using dir = scratch({ "a.txt": "one\ntwo\n" })
    const at = mutating(dir.path)
    const before = await at.revision("a.txt")
    const same = [edit("two", "two")]
    const { edited, bytes_after, revision } = await at.edit("a.txt", same)
    expect([edited, bytes_after, revision === before, revision]).toEqual([true, 8, false, await at.revision("a.txt")])
    expect(await codeOf(at.edit("a.txt", same, before))).toBe("REVISION_CONFLICT")
  })

  test("writes nothing when a later edit of the call has a conflict", async () => {
    using dir = scratch({ "a.txt": "one two" })
    const at = mutating(dir.path)
    const before = await at.revision("a.txt")
    expect(await codeOf(at.edit("a.txt", [edit("one", "1"), edit("three", "3")]))).toBe("EDIT_CONFLICT")
    expect(await at.revision("a.txt")).toBe(before)
  })

  test("keeps what another program has written meanwhile: REVISION_CONFLICT", async () => {
    using dir = scratch({ "a.txt": "one" })
    const at = mutating(dir.path)
    const seen = await at.revision("a.txt")
    writeFileSync(dir.at("a.txt"), "new")
    expect(await codeOf(at.edit("a.txt", [edit("one", "1")], seen))).toBe("REVISION_CONFLICT")
    expect(readFileSync(dir.at("a.txt"), "utf8")).toBe("new")
  })
})

/** What can be wrong with a file, in the order in which the contract judges it: each with its code and how to make it so. */
const WRONG: readonly (readonly [code: string, wrong: Wrong])[] = [
  ["ACCESS_DENIED", { plant: (dir) => chmodSync(dir.at("f"), 0o444) }],
  ["REVISION_CONFLICT", { revision: STALE }],
  ["MULTIPLE_HARDLINKS_NOT_SUPPORTED", { plant: (dir) => linkSync(dir.at("f"), dir.at("other")) }],
  ["WRITE_TOO_LARGE", { content: "xxxxxxxxxx" }],
  ["BINARY_FILE", { content: "a\0" }],
  ["UNSUPPORTED_TEXT_ENCODING", { content: "\xff" }],
  ["EDIT_CONFLICT", { edits: [edit("absent", "")] }],
  ["WRITE_TOO_LARGE", { edits: [edit("a", "123456789")] }],
]

interface Wrong {
  readonly plant?: (dir: Scratch) => void
  readonly revision?: string
  /** Latin-1. */
  readonly content?: string
  readonly edits?: readonly Edit[]
}

const SMALL: Partial<Limits> = { maxWriteBytes: 9 }

describe("editTextFile(), the order of its checks", () => {
  const pairs = WRONG.flatMap(([first, a], index) => WRONG.slice(index + 1).map(([second, b]) => [first, second, a, b] as const))
  // Two contents, or two lists of edits, cannot be in one file and call.
  const possible = pairs.filter(([, , a, b]) => !(a.edits && b.edits))

  test.each(possible)("%s is said before %s", async (first, _second, a, b) => {
    using dir = scratch()
    const content = [a.content, b.content].filter((each) => each !== undefined).join("") || "a"
    writeFileSync(dir.at("f"), content, "latin1")
    if (process.geteuid?.() === 0) chownSync(dir.at("f"), 65_534, 65_534)
    for (const { plant } of [a, b]) plant?.(dir)
    const at = mutating(dir.path, SMALL)
    using _ = asNobody(dir.path)
    expect(await codeOf(at.edit("f", a.edits ?? b.edits ?? [edit("a", "b")], a.revision ?? b.revision))).toBe(first)
  })

  test("targets come first: missing, symlink, directory, FIFO, symlink and file as parents", async () => {
    using dir = scratch({ d: null, "d/f": "", l: { link: "d/f" }, ld: { link: "d" }, p: { fifo: true } })
    const at = mutating(dir.path)
    const code = (path: string) => codeOf(at.edit(path, [edit("x", "y")], STALE))
    expect(await code("none")).toBe("PATH_NOT_FOUND")
    expect(await code("none/none")).toBe("PATH_NOT_FOUND")
    expect(await code("l")).toBe("SYMLINK_NOT_ALLOWED")
    expect(await code("d")).toBe("NOT_A_FILE")
    expect(await code("p")).toBe("UNSUPPORTED_FILE_TYPE")
    expect(await code("ld/f")).toBe("SYMLINK_NOT_ALLOWED")
    expect(await code("d/f/x")).toBe("NOT_A_DIRECTORY")
    expect(await code("d/..")).toBe("ROOT_MUTATION_NOT_ALLOWED")
  })

  test("a file that cannot be read is ACCESS_DENIED before its revision is looked at", async () => {
    using dir = scratch({ f: "a" })
    chmodSync(dir.at("f"), 0o200)
    if (process.geteuid?.() === 0) chownSync(dir.at("f"), 65_534, 65_534)
    const at = mutating(dir.path)
    using _ = asNobody(dir.path)
    expect(await codeOf(at.edit("f", [edit("a", "b")], STALE))).toBe("ACCESS_DENIED")
  })
})
