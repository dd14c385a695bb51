import { describe, expect, test } from "bun:test"
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { asNobody } from "../helpers/as-nobody.ts"
import { codeOf } from "../helpers/in-lane.ts"
import { edit, mutating } from "../helpers/mutate.ts"
import { scratch } from "../helpers/scratch.ts"

describe("createTextFile()", () => {
  test("writes exactly these bytes and gives the revision that the next stat shows", async () => {
    using dir = scratch({ d: null })
    const at = mutating(dir.path)
    const content = "\ufeff  a\r\nb\t\n\n😀 end"
    const made = await at.create("./d//new.txt", content)
    expect(made).toEqual({ path: "d/new.txt", bytes_written: Buffer.byteLength(content), revision: await at.revision("d/new.txt") })
    expect(readFileSync(dir.at("d/new.txt"), "utf8")).toBe(content)
    expect(readdirSync(dir.at("d"))).toEqual(["new.txt"])
  })

  test("gives the mode that umask leaves of 0666", async () => {
    using dir = scratch()
    const before = process.umask(0o027)
    try {
      await mutating(dir.path).create("a.txt")
    } finally {
      process.umask(before)
    }
    expect(statSync(dir.at("a.txt")).mode & 0o7777).toBe(0o640)
  })

  test("leaves the parent untouched when something is there already: PATH_ALREADY_EXISTS", async () => {
    using dir = scratch({ f: "old", d: null, l: { link: "f" }, gone: { link: "nowhere" }, p: { fifo: true } })
    const before = statSync(dir.path, { bigint: true }).ctimeNs
    for (const name of ["f", "d", "l", "gone", "p"]) expect(await codeOf(mutating(dir.path).create(name))).toBe("PATH_ALREADY_EXISTS")
    expect(statSync(dir.path, { bigint: true }).ctimeNs).toBe(before)
    expect(readFileSync(dir.at("f"), "utf8")).toBe("old")
  })

  test("says what is wrong with the parent", async () => {
    using dir = scratch({ f: "", d: null, l: { link: "d" } })
    const at = mutating(dir.path)
    expect(await codeOf(at.create("none/a.txt"))).toBe("PARENT_NOT_FOUND")
    expect(await codeOf(at.create("f/a.txt"))).toBe("NOT_A_DIRECTORY")
    expect(await codeOf(at.create("l/a.txt"))).toBe("SYMLINK_NOT_ALLOWED")
    expect(readdirSync(dir.at("d"))).toEqual([])
  })

  test("refuses the root, policy and a directory that may not be written", async () => {
    using dir = scratch({ d: null })
    const at = mutating(dir.path)
    for (const path of ["", ".", "./", "d/.."]) expect(await codeOf(at.create(path))).toBe("ROOT_MUTATION_NOT_ALLOWED")
    expect(await codeOf(at.create(".serverfs-tmp-x"))).toBe("RESERVED_PATH")
    expect(await codeOf(at.create("d/.hidden"))).toBe("HIDDEN_PATH_NOT_ALLOWED")
    expect(await codeOf(at.create("private.pem"))).toBe("DENIED_PATH")
    chmodSync(dir.at("d"), 0o555)
    using _ = asNobody(dir.path)
    await expect(at.create("d/a.txt")).rejects.toThrow(/^ACCESS_DENIED: 'd\/a.txt': permission denied.* To mend it: only the operator can give serverfs the right to it/)
  })

  test("says WORKDIR_UNAVAILABLE, not PARENT_NOT_FOUND, when the whole directory has gone", async () => {
    const dir = scratch()
    const at = mutating(dir.path)
    dir[Symbol.dispose]()
    expect(await codeOf(at.create("a.txt"))).toBe("WORKDIR_UNAVAILABLE")
  })

  test("takes a name of 255 bytes and refuses what the filesystem refuses", async () => {
    using dir = scratch()
    await mutating(dir.path).create("n".repeat(255))
    expect(readdirSync(dir.path)).toEqual(["n".repeat(255)])
  })

  test("works a hundred times over with the revisions it returned", async () => {
    using dir = scratch()
    const at = mutating(dir.path)
    for (let i = 0; i < 100; i++) {
      const { revision } = await at.create(`f${i}`, "one")
      const edited = await at.edit(`f${i}`, [edit("one", "two")], revision)
      await at.deleteFile(`f${i}`, edited.revision)
    }
    expect(readdirSync(dir.path)).toEqual([])
  })

  test("leaves other programs' temporary files alone", async () => {
    using dir = scratch({ ".serverfs-tmp-other": "theirs" })
    await mutating(dir.path).create("a.txt")
    writeFileSync(dir.at("b"), "")
    expect(readdirSync(dir.path).sort()).toEqual([".serverfs-tmp-other", "a.txt", "b"])
  })
})
