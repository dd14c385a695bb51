import { describe, expect, test } from "bun:test"
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, truncateSync } from "node:fs"
import { asNobody } from "../helpers/as-nobody.ts"
import { codeOf } from "../helpers/in-lane.ts"
import { mutating, STALE } from "../helpers/mutate.ts"
import { scratch } from "../helpers/scratch.ts"

describe("deleteFile()", () => {
  test("removes a file of any content and size and says how large it was", async () => {
    using dir = scratch({ "a.bin": new Uint8Array([0, 1, 255]), big: "" })
    truncateSync(dir.at("big"), 5_000_000_000)
    const at = mutating(dir.path, { maxWriteBytes: 2 })
    const revision = await at.revision("a.bin")
    expect(await at.deleteFile("./a.bin")).toEqual({ path: "a.bin", bytes_deleted: 3, revision_deleted: revision })
    expect((await at.deleteFile("big")).bytes_deleted).toBe(5_000_000_000)
    expect(readdirSync(dir.path)).toEqual([])
  })

  test("takes one of several names", async () => {
    using dir = scratch({ "a.txt": "data" })
    linkSync(dir.at("a.txt"), dir.at("b.txt"))
    await mutating(dir.path).deleteFile("a.txt")
    expect(readFileSync(dir.at("b.txt"), "utf8")).toBe("data")
  })

  test("refuses what is no regular file, whatever its revision", async () => {
    using dir = scratch({ d: null, "d/f": "", l: { link: "d/f" }, ld: { link: "d" }, p: { fifo: true } })
    const at = mutating(dir.path)
    const code = (path: string) => codeOf(at.deleteFile(path, STALE))
    expect(await code("none")).toBe("PATH_NOT_FOUND")
    expect(await code("d")).toBe("NOT_A_FILE")
    expect(await code("l")).toBe("SYMLINK_NOT_ALLOWED")
    expect(await code("ld/f")).toBe("SYMLINK_NOT_ALLOWED")
    expect(await code("p")).toBe("UNSUPPORTED_FILE_TYPE")
    expect(await code("d/f")).toBe("REVISION_CONFLICT")
    expect(readdirSync(dir.path).sort()).toEqual(["d", "l", "ld", "p"])
  })

  test("refuses a file that the process cannot read, though it may write its directory: ACCESS_DENIED", async () => {
    using dir = scratch({ f: "a" })
    mkdirSync(dir.at("d"))
    const at = mutating(dir.path)
    const revision = await at.revision("f")
    chmodSync(dir.at("f"), 0)
    using _ = asNobody(dir.path)
    expect(await codeOf(at.deleteFile("f", revision))).toBe("ACCESS_DENIED")
  })
})
