import { describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from "node:fs"
import { codeOf } from "../helpers/in-lane.ts"
import { mutating, STALE } from "../helpers/mutate.ts"
import { scratch } from "../helpers/scratch.ts"

describe("createDirectory()", () => {
  test("makes one level, with the mode that umask leaves of 0777", async () => {
    using dir = scratch()
    const at = mutating(dir.path)
    const before = process.umask(0o027)
    try {
      expect(await at.createDirectory("d/")).toEqual({ path: "d", revision: await at.revision("d") })
    } finally {
      process.umask(before)
    }
    expect(statSync(dir.at("d")).mode & 0o7777).toBe(0o750)
    expect(await codeOf(at.createDirectory("no/d"))).toBe("PARENT_NOT_FOUND")
  })

  test("refuses anything that is there: PATH_ALREADY_EXISTS", async () => {
    using dir = scratch({ d: null, f: "", l: { link: "d" }, gone: { link: "nowhere" } })
    for (const name of ["d", "f", "l", "gone"]) expect(await codeOf(mutating(dir.path).createDirectory(name))).toBe("PATH_ALREADY_EXISTS")
    expect(await codeOf(mutating(dir.path).createDirectory("l/x"))).toBe("SYMLINK_NOT_ALLOWED")
    expect(await codeOf(mutating(dir.path).createDirectory("f/x"))).toBe("NOT_A_DIRECTORY")
    expect(await codeOf(mutating(dir.path).createDirectory("."))).toBe("ROOT_MUTATION_NOT_ALLOWED")
  })
})

describe("deleteDirectory()", () => {
  test("removes an empty directory", async () => {
    using dir = scratch({ d: null })
    const at = mutating(dir.path)
    const revision = await at.revision("d")
    expect(await at.deleteDirectory("d")).toEqual({ path: "d", revision_deleted: revision })
    expect(readdirSync(dir.path)).toEqual([])
  })

  test.each(["child", ".hidden", "secret.pem", ".serverfs-tmp-x"])("counts %s, names no child, and tells the way to clean up: DIRECTORY_NOT_EMPTY", async (child) => {
    using dir = scratch({ [`d/${child}`]: "" })
    const refused = mutating(dir.path).deleteDirectory("d")
    await expect(refused).rejects.toThrow(/^DIRECTORY_NOT_EMPTY: 'd': .*list_directory.*delete_file.*delete_directory/)
    await expect(refused).rejects.not.toThrow(child)
  })

  test("decides the revision before emptiness: REVISION_CONFLICT", async () => {
    using dir = scratch({ d: null })
    const at = mutating(dir.path)
    const seen = await at.revision("d")
    mkdirSync(dir.at("d/x"))
    expect(await codeOf(at.deleteDirectory("d", seen))).toBe("REVISION_CONFLICT")
    rmdirSync(dir.at("d/x"))
    expect(await codeOf(at.deleteDirectory("d", seen))).toBe("REVISION_CONFLICT")
  })

  test("refuses what is no directory, whatever its revision", async () => {
    using dir = scratch({ d: null, f: "", l: { link: "d" }, p: { fifo: true } })
    const at = mutating(dir.path)
    writeFileSync(dir.at("d/x"), "")
    const code = (path: string) => codeOf(at.deleteDirectory(path, STALE))
    expect(await code("none")).toBe("PATH_NOT_FOUND")
    expect(await code("f")).toBe("NOT_A_DIRECTORY")
    expect(await code("p")).toBe("NOT_A_DIRECTORY")
    expect(await code("l")).toBe("SYMLINK_NOT_ALLOWED")
    expect(await code("d")).toBe("REVISION_CONFLICT")
    expect(await code("d/..")).toBe("ROOT_MUTATION_NOT_ALLOWED")
  })
})
