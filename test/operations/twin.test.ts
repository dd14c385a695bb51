import { describe, expect, test } from "bun:test"
import { linkSync, readdirSync, readFileSync } from "node:fs"
import { codeOf } from "../helpers/in-lane.ts"
import { edit, mutating } from "../helpers/mutate.ts"
import { scratch } from "../helpers/scratch.ts"

const TWIN = ".serverfs-tmp-0123456789abcdef"

/** A file as a kill between a create's link and unlink leaves it. */
function crashed() {
  const dir = scratch({ "d/a.txt": "one", "d/.serverfs-tmp-unrelated": "x", e: null })
  linkSync(dir.at("d/a.txt"), dir.at("d", TWIN))
  return dir
}

describe("the crash twin of a create", () => {
  test("is removed by an edit, which then succeeds, and nothing else is", async () => {
    using dir = crashed()
    const at = mutating(dir.path)
    const { revision } = await at.edit("d/a.txt", [edit("one", "two")])
    expect(readdirSync(dir.at("d")).sort()).toEqual([".serverfs-tmp-unrelated", "a.txt"])
    expect(readFileSync(dir.at("d/a.txt"), "utf8")).toBe("two")
    expect(await at.revision("d/a.txt")).toBe(revision)
  })

  test("is removed by a delete", async () => {
    using dir = crashed()
    expect((await mutating(dir.path).deleteFile("d/a.txt")).bytes_deleted).toBe(3)
    expect(readdirSync(dir.at("d"))).toEqual([".serverfs-tmp-unrelated"])
  })

  test("is left alone by a dry run, which says what the edit would do", async () => {
    using dir = crashed()
    const at = mutating(dir.path)
    const before = await at.revision("d/a.txt")
    expect((await at.dryRun("d/a.txt", [edit("one", "two")])).bytes_after).toBe(3)
    expect(await at.revision("d/a.txt")).toBe(before)
    expect(readdirSync(dir.at("d"))).toContain(TWIN)
  })

  test("is not removed when the revision is another, nor from another directory, nor beside a third name", async () => {
    using dir = crashed()
    const at = mutating(dir.path)
    expect(await codeOf(at.edit("d/a.txt", [edit("one", "two")], "v1:0000000000000000"))).toBe("REVISION_CONFLICT")
    linkSync(dir.at("d/a.txt"), dir.at("e", ".serverfs-tmp-elsewhere"))
    expect(await codeOf(at.edit("d/a.txt", [edit("one", "two")]))).toBe("MULTIPLE_HARDLINKS_NOT_SUPPORTED")
    expect(readdirSync(dir.at("e"))).toEqual([".serverfs-tmp-elsewhere"])
  })

  test("a second name of the user's own stays MULTIPLE_HARDLINKS_NOT_SUPPORTED", async () => {
    using dir = scratch({ "a.txt": "one" })
    linkSync(dir.at("a.txt"), dir.at("b.txt"))
    expect(await codeOf(mutating(dir.path).edit("a.txt", [edit("one", "two")]))).toBe("MULTIPLE_HARDLINKS_NOT_SUPPORTED")
    expect(readFileSync(dir.at("b.txt"), "utf8")).toBe("one")
  })
})
