import { describe, expect, test } from "bun:test"
import { chmodSync, linkSync, lstatSync, readFileSync, readdirSync, readlinkSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { scratch } from "../../helpers/scratch.ts"
import { setXattr, xattrsOf } from "../../helpers/xattrs.ts"
import { filesIn, outcome } from "./driver.ts"

describe("move", () => {
  test("renames a file, a directory and a link, the very inode each", async () => {
    using dir = scratch({ a: "x", "d/sub/b": "y", l: { link: "/etc/passwd" }, to: null })
    const before = ["a", "d", "l"].map((name) => lstatSync(dir.at(name)).ino)
    const files = filesIn(dir.path)
    expect(await files.move("a", "to/a2")).toEqual({ path: dir.at("to/a2"), status: "MOVED", size: null })
    await files.move("d", "to/d2")
    await files.move("l", "to/l2")
    expect(["a2", "d2", "l2"].map((name) => lstatSync(dir.at("to", name)).ino)).toEqual(before)
    expect([readdirSync(dir.path), readFileSync(dir.at("to/d2/sub/b"), "utf8"), readlinkSync(dir.at("to/l2"))]).toEqual([["to"], "y", "/etc/passwd"])
  })

  test.each([
    ["a", "b", false, "PATH_ALREADY_EXISTS"], ["a", "gone", false, "PATH_ALREADY_EXISTS"], ["d", "e", false, "PATH_ALREADY_EXISTS"], ["a", "a", false, "PATH_ALREADY_EXISTS"], ["a", "./a", true, "INVALID_ARGUMENTS"],
    ["none", "x", false, "PATH_NOT_FOUND"], ["a", "none/x", false, "PARENT_NOT_FOUND"], ["a", "b/x", false, "NOT_A_DIRECTORY"], ["p", "x", false, "UNSUPPORTED_FILE_TYPE"], ["a", "p", true, "UNSUPPORTED_FILE_TYPE"],
    ["a", "d", true, "NOT_A_FILE"], ["gone", "d", true, "NOT_A_FILE"], ["d", "a", true, "NOT_A_DIRECTORY"], ["d", "e", true, "DIRECTORY_NOT_EMPTY"], ["d", "d/x", false, "INVALID_ARGUMENTS"], ["d", "d/sub/x", true, "INVALID_ARGUMENTS"], ["d", "d", true, "INVALID_ARGUMENTS"],
    ["d", "ld/x", false, "INVALID_ARGUMENTS"], [".", "x", false, "ROOT_MUTATION_NOT_ALLOWED"], ["a", ".", true, "ROOT_MUTATION_NOT_ALLOWED"], ["a", "../x", false, "PATH_OUTSIDE_WORKDIR"],
  ])("%s to %s (overwrite %p) is %s, and nothing has changed", async (src, dst, overwrite, code) => {
    using dir = scratch({ a: "a", b: "b", "d/sub/x": "", "e/y": "", p: { fifo: true }, gone: { link: "nowhere" }, ld: { link: "d/sub" } })
    const inodes = () => readdirSync(dir.path).sort().map((name) => [name, lstatSync(dir.at(name)).ino])
    const before = inodes()
    expect(await outcome(filesIn(dir.path).move(src, dst, overwrite))).toBe(code)
    expect([inodes(), readFileSync(dir.at("b"), "utf8")]).toEqual([before, "b"])
  })

  test("of a link over what it leads to is refused: the link would be all that is left", async () => {
    using dir = scratch({ data: "precious", l: { link: "data" }, "d/far": { link: "../l" }, other: "x" })
    const files = filesIn(dir.path)
    for (const link of ["l", "d/far"]) expect(await outcome(files.move(link, "data", true))).toBe("INVALID_ARGUMENTS")
    expect(readFileSync(dir.at("data"), "utf8")).toBe("precious")
    await files.move("l", "other", true)
    expect(readlinkSync(dir.at("other"))).toBe("data")
  })

  test("over a file of the same metadata is a rename", async () => {
    using dir = scratch({ a: "new", b: "old" })
    const { ino } = statSync(dir.at("a"))
    await filesIn(dir.path).move("a", "b", true)
    expect([readFileSync(dir.at("b"), "utf8"), statSync(dir.at("b")).ino, readdirSync(dir.path)]).toEqual(["new", ino, ["b"]])
  })

  test("over a file keeps that one's mode and attributes", async () => {
    using dir = scratch({ a: "new", b: "old" })
    chmodSync(dir.at("b"), 0o640)
    setXattr(dir.at("b"), "user.old", "kept")
    setXattr(dir.at("a"), "user.new", "dropped")
    utimesSync(dir.at("a"), 1_600_000_000, 1_600_000_000)
    await filesIn(dir.path).move("a", "b", true)
    const moved = statSync(dir.at("b"))
    expect([readFileSync(dir.at("b"), "utf8"), moved.mode & 0o7777, moved.mtimeMs, xattrsOf(dir.at("b")).map(([name]) => name)]).toEqual(["new", 0o640, 1_600_000_000_000, ["user.old"]])
    expect(readdirSync(dir.path)).toEqual(["b"])
  })

  test("of one of several names over a file leaves the others as they were", async () => {
    using dir = scratch({ a: "new", b: "old" })
    linkSync(dir.at("a"), dir.at("other"))
    chmodSync(dir.at("b"), 0o640)
    await filesIn(dir.path).move("a", "b", true)
    expect([readFileSync(dir.at("b"), "utf8"), statSync(dir.at("b")).mode & 0o777, readFileSync(dir.at("other"), "utf8"), statSync(dir.at("other")).nlink]).toEqual(["new", 0o640, "new", 1])
    expect(statSync(dir.at("other")).mode & 0o777).not.toBe(0o640)
  })

  test("overwriting: an empty directory gives way to a directory, a link to whatever comes, a file to a link", async () => {
    using dir = scratch({ d: null, "d/x": "x", empty: null, e: null, "e/y": "y", f: "f", g: "g", target: "t", l: { link: "target" }, m: { link: "target" }, n: { link: "nowhere" } })
    const files = filesIn(dir.path)
    await files.move("d", "empty", true)
    await files.move("e", "l", true)
    await files.move("f", "m", true)
    await files.move("n", "g", true)
    expect([readdirSync(dir.at("empty")), readdirSync(dir.at("l")), readFileSync(dir.at("m"), "utf8"), readlinkSync(dir.at("g")), readFileSync(dir.at("target"), "utf8")]).toEqual([["x"], ["y"], "f", "nowhere", "t"])
    expect(readdirSync(dir.path).sort()).toEqual(["empty", "g", "l", "m", "target"])
  })

  test("of a file that was never looked at works on what is there when the lock is held", async () => {
    using dir = scratch({ a: "old" })
    const files = filesIn(dir.path, { watch: ({ kind }) => { if (kind === "want") writeFileSync(dir.at("a"), "newer") } })
    await files.move("a", "b")
    expect(readFileSync(dir.at("b"), "utf8")).toBe("newer")
  })
})
