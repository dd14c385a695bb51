/** create, update, delete, stat, read: one entry at a time. */
import { describe, expect, test } from "bun:test"
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { asNobody } from "../../helpers/as-nobody.ts"
import { scratch } from "../../helpers/scratch.ts"
import { setXattr, xattrsOf } from "../../helpers/xattrs.ts"
import { filesIn, outcome, refused } from "./driver.ts"

describe("create_file", () => {
  test("writes exact bytes and says how many", async () => {
    using dir = scratch()
    expect(await filesIn(dir.path).create("a.txt", "h\u00e9llo\r\n")).toEqual({ path: dir.at("a.txt"), status: "CREATED", size: 8 })
    expect(readFileSync(dir.at("a.txt"), "utf8")).toBe("h\u00e9llo\r\n")
    expect(readdirSync(dir.path)).toEqual(["a.txt"])
  })

  test.each([
    ["a file", "f"], ["a directory", "d"], ["a FIFO", "p"], ["a link", "l"],
  ])("on %s is PATH_ALREADY_EXISTS", async (_, path) => {
    using dir = scratch({ f: "old", d: null, p: { fifo: true }, l: { link: "f" } })
    expect(await outcome(filesIn(dir.path).create(path))).toBe("PATH_ALREADY_EXISTS")
    expect(readFileSync(dir.at("f"), "utf8")).toBe("old")
  })

  test("overwriting keeps mode and attributes, and refuses all but files", async () => {
    using dir = scratch({ f: "old", d: null, p: { fifo: true } })
    const files = filesIn(dir.path)
    chmodSync(dir.at("f"), 0o640)
    setXattr(dir.at("f"), "user.note", "kept")
    expect(await files.create("f", "new", true)).toEqual({ path: dir.at("f"), status: "CREATED", size: 3 })
    expect([readFileSync(dir.at("f"), "utf8"), statSync(dir.at("f")).mode & 0o7777, xattrsOf(dir.at("f")).map(([name]) => name)]).toEqual(["new", 0o640, ["user.note"]])
    expect([await outcome(files.create("d", "x", true)), await outcome(files.create("p", "x", true))]).toEqual(["NOT_A_FILE", "UNSUPPORTED_FILE_TYPE"])
    expect(await outcome(files.create("new", "x", true))).toBe("ok")
  })

  test.each([["none/f", "PARENT_NOT_FOUND"], ["f/x", "NOT_A_DIRECTORY"], ["none/../../x", "PATH_OUTSIDE_WORKDIR"]])("%s is %s", async (path, code) => {
    using dir = scratch({ f: "x" })
    expect(await outcome(filesIn(dir.path).create(path))).toBe(code)
    expect(readdirSync(dir.path)).toEqual(["f"])
  })
})

describe("update_file", () => {
  test("replaces the content and keeps mode and attributes", async () => {
    using dir = scratch({ "run.sh": "old" })
    chmodSync(dir.at("run.sh"), 0o755)
    setXattr(dir.at("run.sh"), "user.note", "kept")
    expect(await filesIn(dir.path).update("run.sh", "new!")).toEqual({ path: dir.at("run.sh"), status: "UPDATED", size: 4 })
    expect([readFileSync(dir.at("run.sh"), "utf8"), statSync(dir.at("run.sh")).mode & 0o7777, xattrsOf(dir.at("run.sh")).length]).toEqual(["new!", 0o755, 1])
    expect(readdirSync(dir.path)).toEqual(["run.sh"])
  })

  test.each([["none", "PATH_NOT_FOUND"], ["none/x", "PATH_NOT_FOUND"], ["d", "NOT_A_FILE"], ["p", "UNSUPPORTED_FILE_TYPE"], ["f/x", "NOT_A_DIRECTORY"]])("%s is %s", async (path, code) => {
    using dir = scratch({ f: "x", d: null, p: { fifo: true } })
    expect(await outcome(filesIn(dir.path).update(path))).toBe(code)
    expect(readdirSync(dir.path).sort()).toEqual(["d", "f", "p"])
  })

  test("of a file with two names is MULTIPLE_HARDLINKS_NOT_SUPPORTED, as is overwriting it", async () => {
    using dir = scratch({ a: "old", src: "x" })
    linkSync(dir.at("a"), dir.at("b"))
    const files = filesIn(dir.path)
    for (const work of [() => files.update("a"), () => files.create("a", "x", true), () => files.copy("src", "a", true), () => files.move("src", "a", true)]) {
      expect(await outcome(work())).toBe("MULTIPLE_HARDLINKS_NOT_SUPPORTED")
    }
    expect([readFileSync(dir.at("b"), "utf8"), readdirSync(dir.path).sort()]).toEqual(["old", ["a", "b", "src"]])
  })

  test("takes away the twin that a killed create left", async () => {
    using dir = scratch({ a: "old" })
    linkSync(dir.at("a"), dir.at(".serverfs-tmp-left"))
    expect(await outcome(filesIn(dir.path).update("a", "new"))).toBe("ok")
    expect([readFileSync(dir.at("a"), "utf8"), readdirSync(dir.path)]).toEqual(["new", ["a"]])
  })

  test("of a file that the process may not write is ACCESS_DENIED", async () => {
    using dir = scratch({ a: "old" })
    chmodSync(dir.at("a"), 0o444)
    chmodSync(dir.path, 0o777)
    using _ = asNobody(dir.path)
    expect(await outcome(filesIn(dir.path).update("a"))).toBe("ACCESS_DENIED")
  })
})

describe("delete_file", () => {
  test("removes a file, and a link rather than its target", async () => {
    using dir = scratch({ f: "x", l: { link: "f" }, gone: { link: "nowhere" }, out: { link: "/etc/passwd" } })
    const files = filesIn(dir.path)
    for (const path of ["l", "gone", "out"]) expect(await files.remove(path)).toEqual({ path: dir.at(path), status: "DELETED", size: null })
    expect([readdirSync(dir.path), existsSync("/etc/passwd")]).toEqual([["f"], true])
    await files.remove("f")
    expect(readdirSync(dir.path)).toEqual([])
  })

  test.each([["none", "PATH_NOT_FOUND"], ["none/x", "PATH_NOT_FOUND"], ["d", "NOT_A_FILE"], ["p", "UNSUPPORTED_FILE_TYPE"], ["f/x", "NOT_A_DIRECTORY"], [".", "ROOT_MUTATION_NOT_ALLOWED"]])("%s is %s", async (path, code) => {
    using dir = scratch({ f: "x", d: null, p: { fifo: true } })
    expect(await outcome(filesIn(dir.path).remove(path))).toBe(code)
    expect(readdirSync(dir.path).sort()).toEqual(["d", "f", "p"])
  })
})

describe("read_file", () => {
  test("gives the whole file, with its BOM, so that what was read can be written back", async () => {
    using dir = scratch({ a: "\ufeffzw\u00f6lf\r\n", empty: "" })
    const files = filesIn(dir.path)
    expect(await files.read("a")).toEqual({ path: dir.at("a"), content: "\ufeffzw\u00f6lf\r\n", size: 11 })
    expect((await files.read("empty")).content).toBe("")
  })

  test.each([
    ["none", "PATH_NOT_FOUND"], ["d", "NOT_A_FILE"], [".", "NOT_A_FILE"], ["p", "UNSUPPORTED_FILE_TYPE"], ["latin1", "UNSUPPORTED_TEXT_ENCODING"], ["nul", "BINARY_FILE"], ["big", "FILE_TOO_LARGE"], ["fits", "ok"], ["fits/x", "NOT_A_DIRECTORY"],
  ])("%s is %s", async (path, code) => {
    using dir = scratch({ d: null, p: { fifo: true }, latin1: Uint8Array.of(0xff, 0xfe), nul: "a\0b", big: "x".repeat(101), fits: "x".repeat(100) })
    expect(await outcome(filesIn(dir.path, { maxBytes: 100 }).read(path))).toBe(code)
  })

  test("of a file that the process may not read is ACCESS_DENIED", async () => {
    using dir = scratch({ a: "x" })
    chmodSync(dir.at("a"), 0o200)
    using _ = asNobody(dir.path)
    expect(await outcome(filesIn(dir.path).read("a"))).toBe("ACCESS_DENIED")
  })
})

describe("stat", () => {
  test("says what an entry is, a link as itself", async () => {
    using dir = scratch({ f: "12345", d: null, p: { fifo: true }, l: { link: "/etc/passwd" } })
    chmodSync(dir.at("f"), 0o4755)
    utimesSync(dir.at("f"), 1_700_000_000, 1_700_000_000.5)
    const files = filesIn(dir.path)
    expect(await files.stat("f")).toEqual({ path: dir.at("f"), name: "f", type: "file", size: 5, mtime: 1_700_000_000.5, mode: 0o4755 })
    const shown = async (path: string) => { const { type, size } = await files.stat(path); return [type, size] }
    expect([await shown("d"), await shown("p"), await shown("l")]).toEqual([["directory", 0], ["other", 0], ["symlink", 0]])
    expect((await files.stat("~")).name).toBe(dir.path.slice(dir.path.lastIndexOf("/") + 1))
  })

  test.each([["none", "PATH_NOT_FOUND"], ["f/x", "NOT_A_DIRECTORY"]])("%s is %s", async (path, code) => {
    using dir = scratch({ f: "x" })
    expect(await outcome(filesIn(dir.path).stat(path))).toBe(code)
  })
})

describe("once the root has gone", () => {
  test("every operation says WORKDIR_UNAVAILABLE", async () => {
    using dir = scratch({ "root/x": "" })
    const root = dir.at("root")
    const files = filesIn(root)
    await files.stat(".")
    rmSync(root, { recursive: true })
    for (const work of [() => files.stat("."), () => files.list("."), () => files.read("a"), () => files.create("a"), () => files.remove("a", true), () => files.move("a", "b")]) {
      expect(await outcome(work())).toBe("WORKDIR_UNAVAILABLE")
    }
  })
})

describe("an error", () => {
  test("never says where the root is, whatever the path was given as", async () => {
    using dir = scratch({ d: null, f: "x", l: { link: "/etc" } })
    const files = filesIn(dir.path)
    mkdirSync(dir.at("full/x"), { recursive: true })
    writeFileSync(dir.at("big"), "x".repeat(2_000_000))
    symlinkSync("loop", dir.at("loop"))
    const at = (path: string) => `${dir.path}/${path}`
    const failing = [
      () => files.read(at("none")), () => files.read(at("d")), () => files.read(at("big")), () => files.read(at("loop")), () => files.read(at("l/passwd")), () => files.read(at("../x")), () => files.read(at("x".repeat(300))),
      () => files.create(at("f")), () => files.create(at("none/x")), () => files.create(at(".serverfs-tmp-1")), () => files.remove(at("d")), () => files.remove(dir.path, true), () => files.list(at("f")),
      () => files.move(at("d"), at("d/x")), () => files.move(at("f"), at("d"), true), () => files.copy(at("d"), at("full"), true), () => files.stat(`${dir.path}-secret`),
    ]
    for (const work of failing) expect(String(await refused(work()))).not.toContain(dir.path)
    expect(lstatSync(dir.at("f")).isFile()).toBe(true)
  })
})
