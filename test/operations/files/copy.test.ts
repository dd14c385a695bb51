import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { chmodSync, chownSync, closeSync, linkSync, lstatSync, lutimesSync, openSync, readFileSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync, writeSync } from "node:fs"
import { Cancelled } from "../../../src/errors.ts"
import { dig } from "../../helpers/dig.ts"
import { scratch } from "../../helpers/scratch.ts"
import { acl, setXattr, xattrsOf } from "../../helpers/xattrs.ts"
import { filesIn, outcome, refused } from "./driver.ts"

const MOMENT = 1_600_000_000.123

describe("copy of a file", () => {
  test("keeps content, mode, times and attributes", async () => {
    using dir = scratch({ a: "content" })
    chmodSync(dir.at("a"), 0o754)
    setXattr(dir.at("a"), "user.note", "kept")
    utimesSync(dir.at("a"), MOMENT, MOMENT)
    expect(await filesIn(dir.path).copy("a", "b")).toEqual({ path: dir.at("b"), status: "COPIED", size: 7 })
    const copy = statSync(dir.at("b"))
    expect([readFileSync(dir.at("b"), "utf8"), copy.mode & 0o7777, copy.mtimeMs, copy.atimeMs]).toEqual(["content", 0o754, MOMENT * 1000, MOMENT * 1000])
    expect(xattrsOf(dir.at("b"))).toEqual(xattrsOf(dir.at("a")))
    expect(readdirSync(dir.path).sort()).toEqual(["a", "b"])
  })

  test("over a file keeps that one's mode and attributes; over a link replaces the link", async () => {
    using dir = scratch({ a: "new", b: "old", target: "old", l: { link: "target" } })
    chmodSync(dir.at("b"), 0o600)
    setXattr(dir.at("b"), "user.old", "kept")
    setXattr(dir.at("a"), "user.new", "dropped")
    utimesSync(dir.at("a"), MOMENT, MOMENT)
    const files = filesIn(dir.path)
    for (const dst of ["b", "l"]) expect(await outcome(files.copy("a", dst))).toBe("PATH_ALREADY_EXISTS")
    for (const dst of ["b", "l"]) await files.copy("a", dst, true)
    const copy = statSync(dir.at("b"))
    expect([readFileSync(dir.at("b"), "utf8"), copy.mode & 0o7777, copy.mtimeMs, xattrsOf(dir.at("b")).map(([name]) => name)]).toEqual(["new", 0o600, MOMENT * 1000, ["user.old"]])
    expect([lstatSync(dir.at("l")).isFile(), readFileSync(dir.at("target"), "utf8")]).toEqual([true, "old"])
  })

  test("leaves holes where there are some, and the file as long", async () => {
    using dir = scratch({ tail: "" })
    const fd = openSync(dir.at("sparse"), "w")
    for (const at of [0, 5_000_000, 30_000_000]) writeSync(fd, "island", at)
    closeSync(fd)
    truncateSync(dir.at("tail"), 20_000_000)
    const files = filesIn(dir.path)
    for (const name of ["sparse", "tail"]) {
      await files.copy(name, `${name}2`)
      const [from, to] = [statSync(dir.at(name)), statSync(dir.at(`${name}2`))]
      expect([to.size, to.blocks <= from.blocks + 64]).toEqual([from.size, true])
      execFileSync("cmp", [dir.at(name), dir.at(`${name}2`)])
    }
  })

  test("drops setuid of a file that belongs to somebody else, and keeps it of one's own", async () => {
    using dir = scratch({ own: "x", other: "x" })
    const mine = process.getuid?.() === 0
    if (mine) chownSync(dir.at("other"), 65_534, 65_534)
    for (const name of ["own", "other"]) chmodSync(dir.at(name), 0o6755)
    const files = filesIn(dir.path)
    for (const name of ["own", "other"]) await files.copy(name, `${name}2`)
    expect(statSync(dir.at("own2")).mode & 0o7777).toBe(0o6755)
    expect(statSync(dir.at("other2")).mode & 0o7777).toBe(mine ? 0o755 : 0o6755)
  })

  test.each([
    ["a", "a", false, "PATH_ALREADY_EXISTS"], ["a", "./a", true, "INVALID_ARGUMENTS"], ["l", "a", true, "INVALID_ARGUMENTS"], ["none", "x", false, "PATH_NOT_FOUND"], ["a", "none/x", false, "PARENT_NOT_FOUND"], ["a", "b/x", false, "NOT_A_DIRECTORY"],
    ["p", "x", false, "UNSUPPORTED_FILE_TYPE"], ["a", "p", true, "UNSUPPORTED_FILE_TYPE"], ["a", "d", true, "NOT_A_FILE"], ["a", ".", true, "ROOT_MUTATION_NOT_ALLOWED"], [".", "x", false, "ROOT_MUTATION_NOT_ALLOWED"],
  ])("%s to %s (overwrite %p) is %s", async (src, dst, overwrite, code) => {
    using dir = scratch({ a: "a", b: "b", d: null, p: { fifo: true }, l: { link: "a" } })
    expect(await outcome(filesIn(dir.path).copy(src, dst, overwrite))).toBe(code)
    expect([readdirSync(dir.path).sort(), readFileSync(dir.at("a"), "utf8")]).toEqual([["a", "b", "d", "l", "p"], "a"])
  })
})

describe("copy of a directory", () => {
  test("takes everything along: bytes, modes, times, attributes, links as links, names that are no text", async () => {
    using dir = scratch({ "d/a": "x".repeat(100_000), "d/empty": "", "d/sub/b": "b", "d/in": { link: "sub/b" }, "d/out": { link: "/etc/passwd" }, "d/gone": { link: "../nowhere" }, "d/shut": null })
    writeFileSync(Buffer.concat([Buffer.from(`${dir.at("d/sub")}/n`), Buffer.from([0xff])]), "bytes")
    linkSync(dir.at("d/a"), dir.at("d/same"))
    setXattr(dir.at("d/sub"), "user.note", "kept")
    chmodSync(dir.at("d/sub/b"), 0o640)
    lutimesSync(dir.at("d/in"), MOMENT, MOMENT)
    for (const name of ["d/a", "d/sub", "d/shut", "d"]) utimesSync(dir.at(name), MOMENT, MOMENT)
    chmodSync(dir.at("d/shut"), 0o555)
    expect(await filesIn(dir.path).copy("d", "e")).toEqual({ path: dir.at("e"), status: "COPIED", size: null })
    const shown = (top: string) => execFileSync("find", [".", "-printf", "%p %y %m %T@ %l %s\\n"], { cwd: dir.at(top), encoding: "latin1" }).split("\n").sort()
    expect(shown("e")).toEqual(shown("d"))
    execFileSync("diff", ["-r", "--no-dereference", dir.at("d"), dir.at("e")])
    expect(xattrsOf(dir.at("e/sub"))).toEqual(xattrsOf(dir.at("d/sub")))
    // Two names of one file become two files.
    expect([statSync(dir.at("e/a")).nlink, statSync(dir.at("d/a")).nlink]).toEqual([1, 2])
    expect(readdirSync(dir.path).sort()).toEqual(["d", "e"])
  })

  test("takes the ACLs of the source, not those that the new parent would give", async () => {
    using dir = scratch({ "d/a": "x", "d/sub/b": "y", "to/x": "" })
    const inherited = acl(["userObj", 7], ["user", 7, 65_534], ["groupObj", 5], ["mask", 7], ["other", 5])
    setXattr(dir.at("to"), "system.posix_acl_default", inherited)
    setXattr(dir.at("d/sub"), "system.posix_acl_default", inherited)
    await filesIn(dir.path).copy("d", "to/e")
    for (const name of ["", "a", "sub", "sub/b"]) expect([name, xattrsOf(dir.at("to/e", name))]).toEqual([name, xattrsOf(dir.at("d", name))])
  })

  test("passes over temporaries of others, and refuses a tree that holds what is denied", async () => {
    using dir = scratch({ "d/a": "x", "d/.serverfs-tmp-1/b": "x", "e/x/y.secret": "x" })
    const files = filesIn(dir.path, { deny: ["*.secret"] })
    await files.copy("d", "d2")
    expect(readdirSync(dir.at("d2"))).toEqual(["a"])
    expect(await outcome(files.copy("e", "e2"))).toBe("DENIED_PATH")
    expect(readdirSync(dir.path).sort()).toEqual(["d", "d2", "e"])
  })

  test("that holds a FIFO is UNSUPPORTED_FILE_TYPE, and nothing is made", async () => {
    using dir = scratch({ "d/a": "x", "d/sub/p": { fifo: true } })
    expect(await outcome(filesIn(dir.path).copy("d", "e"))).toBe("UNSUPPORTED_FILE_TYPE")
    expect(readdirSync(dir.path)).toEqual(["d"])
  })

  test("over an empty directory takes its place; one that is not empty stays as it is; files and links are told apart", async () => {
    using dir = scratch({ "d/x": "x", empty: null, "full/y": "y", f: "f", l: { link: "full" } })
    const files = filesIn(dir.path)
    expect(await outcome(files.copy("d", "empty"))).toBe("PATH_ALREADY_EXISTS")
    expect(await outcome(files.copy("d", "full", true))).toBe("DIRECTORY_NOT_EMPTY")
    expect(await outcome(files.copy("d", "f", true))).toBe("NOT_A_DIRECTORY")
    await files.copy("d", "empty", true)
    await files.copy("d", "l", true)
    expect([readdirSync(dir.at("empty")), readdirSync(dir.at("full")), lstatSync(dir.at("l")).isDirectory(), readdirSync(dir.at("l"))]).toEqual([["x"], ["y"], true, ["x"]])
    expect(readdirSync(dir.path).sort()).toEqual(["d", "empty", "f", "full", "l"])
  })

  test.each([["d/x", false], ["d/sub/x", false], ["d", false], ["d", true], ["l/x", false], ["d/sub/../y", true]])("into itself (%s, overwrite %p) is INVALID_ARGUMENTS", async (dst, overwrite) => {
    using dir = scratch({ "d/sub/a": "x", l: { link: "d/sub" } })
    expect(await outcome(filesIn(dir.path).copy("d", dst, overwrite))).toBe("INVALID_ARGUMENTS")
    expect([readdirSync(dir.path).sort(), readdirSync(dir.at("d")), readdirSync(dir.at("d/sub"))]).toEqual([["d", "l"], ["sub"], ["a"]])
  })

  test("of a tree far deeper than any path, with few descriptors", async () => {
    using dir = scratch({ d: null })
    dig(dir.at("d"), "level", 750, "leaf")
    const before = readdirSync("/proc/self/fd").length
    let most = 0
    const files = filesIn(dir.path, { watch: () => { most = Math.max(most, readdirSync("/proc/self/fd").length) } })
    await files.copy("d", "e")
    expect(most - before).toBeLessThan(32)
    expect(readdirSync("/proc/self/fd").length).toBe(before)
    const count = (top: string) => execFileSync("find", [dir.at(top), "-printf", "x"], { encoding: "utf8" }).length
    expect(count("e")).toBe(count("d"))
    for (const path of ["d", "e"]) await files.remove(path, true)
    expect([readdirSync(dir.path), most - before < 32]).toEqual([[], true])
  })

  test("that is cancelled, or out of time, leaves nothing behind", async () => {
    using dir = scratch(Object.fromEntries([...Array(2000).keys()].map((at) => [`d/${at % 20}/${at}`, "x"])))
    let seen = 0
    const cancelled = filesIn(dir.path, { watch: ({ kind }, call) => { if (kind === "progress" && ++seen === 1) call.cancel() } })
    await expect(cancelled.copy("d", "e")).rejects.toBeInstanceOf(Cancelled)
    expect(readdirSync(dir.path)).toEqual(["d"])
    expect((await refused(filesIn(dir.path, { ms: 10 }).copy("d", "e"))).code).toBe("WORKDIR_UNAVAILABLE")
    expect(readdirSync(dir.path)).toEqual(["d"])
  })
})
