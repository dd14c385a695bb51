/** list_dir and search. */
import { describe, expect, test } from "bun:test"
import { chmodSync, readdirSync, writeFileSync } from "node:fs"
import { asNobody } from "../../helpers/as-nobody.ts"
import { dig } from "../../helpers/dig.ts"
import { scratch } from "../../helpers/scratch.ts"
import { filesIn, outcome } from "./driver.ts"

/** A name that no text can say. */
function plantUndecodable(path: string): void {
  writeFileSync(Buffer.concat([Buffer.from(`${path}/x`), Buffer.from([0xff])]), "")
}

describe("list_dir", () => {
  test("shows what is there, hidden names included, sorted by code point", async () => {
    using dir = scratch({ ".env": "A=1", "\u{1f600}": "", "\uffff": "", b: null, a: "12345", l: { link: "/etc" } })
    plantUndecodable(dir.path)
    const { path, entries, truncated } = await filesIn(dir.path).list(".")
    expect([path, truncated]).toEqual([dir.path, false])
    expect(entries.map(({ name, type, size }) => [name, type, size])).toEqual([
      [".env", "file", 3], ["a", "file", 5], ["b", "directory", 0], ["l", "symlink", 0], ["\uffff", "file", 0], ["\u{1f600}", "file", 0],
    ])
    expect(entries[1]?.path).toBe(dir.at("a"))
  })

  test("of a directory that may be read and not entered is ACCESS_DENIED, not empty", async () => {
    using dir = scratch({ "sub/a.txt": "", b: "" })
    chmodSync(dir.at("sub"), 0o444)
    using _ = asNobody(dir.path)
    expect(await outcome(filesIn(dir.path).list("sub"))).toBe("ACCESS_DENIED")
    expect((await filesIn(dir.path).list(".", 1)).entries.map(({ name }) => name)).toEqual(["b", "sub"])
  })

  test("enters as many levels of sub-directories as it is told, and no link", async () => {
    using dir = scratch({ "a/b/c/d.txt": "", "a-x": "", l: { link: "a" } })
    const files = filesIn(dir.path)
    const listed = async (depth: number) => (await files.list(".", depth)).entries.map(({ path }) => path.slice(dir.path.length + 1))
    expect(await listed(0)).toEqual(["a", "a-x", "l"])
    expect(await listed(1)).toEqual(["a", "a-x", "a/b", "l"])
    expect(await listed(2)).toEqual(["a", "a-x", "a/b", "a/b/c", "l"])
    expect(await listed(99)).toEqual(["a", "a-x", "a/b", "a/b/c", "a/b/c/d.txt", "l"])
  })

  test("stops at the limit, nearest levels and first names first", async () => {
    using dir = scratch({ "a/x": "", "a/y": "", b: "", c: "", d: "" })
    const listed = async (maxEntries: number) => {
      const { entries, truncated } = await filesIn(dir.path, { maxEntries }).list(".", 9)
      return [entries.map(({ path }) => path.slice(dir.path.length + 1)).join(" "), truncated]
    }
    expect(await listed(2)).toEqual(["a b", true])
    expect(await listed(5)).toEqual(["a a/x b c d", true])
    expect(await listed(6)).toEqual(["a a/x a/y b c d", false])
  })

  test("leaves out a sub-directory that cannot be read, and fails on a start that cannot", async () => {
    using dir = scratch({ "closed/x": "", "open/y": "" })
    chmodSync(dir.at("closed"), 0o000)
    using _ = asNobody(dir.path)
    const files = filesIn(dir.path)
    expect((await files.list(".", 3)).entries.map(({ name }) => name)).toEqual(["closed", "open", "y"])
    expect(await outcome(files.list("closed"))).toBe("ACCESS_DENIED")
  })

  test.each([["none", "PATH_NOT_FOUND"], ["f", "NOT_A_DIRECTORY"], ["p", "NOT_A_DIRECTORY"]])("%s is %s", async (path, code) => {
    using dir = scratch({ f: "", p: { fifo: true } })
    expect(await outcome(filesIn(dir.path).list(path))).toBe(code)
  })

  test("goes as deep as a path can say, and then says truncated", async () => {
    using dir = scratch()
    dig(dir.path, "x".repeat(200), 30, "leaf")
    const { entries, truncated } = await filesIn(dir.path).list(".", 1000)
    expect([entries.length, truncated]).toEqual([20, true])
    const { matches, truncated: cut } = await filesIn(dir.path).search(".", "x*")
    expect([matches.length, cut]).toEqual([20, true])
  })
})

describe("search", () => {
  test("matches names of files and directories at any depth, or the directory alone", async () => {
    using dir = scratch({ "b.log": "", "x/a.log": "", "x/y.log/z": "", "c.txt": "", "x/.log": "", l: { link: "x" } })
    const files = filesIn(dir.path)
    const found = async (pattern: string, recursive = true, path = ".") => (await files.search(path, pattern, recursive)).matches.map((each) => each.slice(dir.path.length + 1))
    expect(await found("*.log")).toEqual(["b.log", "x/.log", "x/a.log", "x/y.log"])
    expect(await found("*.log", false)).toEqual(["b.log"])
    expect(await found("a.*", true, "x")).toEqual(["x/a.log"])
    expect(await found("[ab].log")).toEqual(["b.log", "x/a.log"])
    expect(await found("none")).toEqual([])
    expect(await found("l")).toEqual(["l"])
  })

  test("matches the path below where it starts when the pattern has a slash or **", async () => {
    using dir = scratch({ "p/src/a.ts": "", "p/src/deep/b.ts": "", "p/lib/c.ts": "" })
    const files = filesIn(dir.path)
    const found = async (pattern: string, recursive = true) => (await files.search("p", pattern, recursive)).matches.map((each) => each.slice(dir.path.length + 3))
    expect(await found("src/*.ts")).toEqual(["src/a.ts"])
    expect(await found("src/**/*.ts")).toEqual(["src/a.ts", "src/deep/b.ts"])
    expect(await found("**")).toEqual(["lib", "lib/c.ts", "src", "src/a.ts", "src/deep", "src/deep/b.ts"])
    expect(await found("**.ts")).toEqual(["lib/c.ts", "src/a.ts", "src/deep/b.ts"])
    expect(await found("src/*.ts", false)).toEqual([])
  })

  test("stops at the limit, and only says so when there was more", async () => {
    using dir = scratch({ "a/x": "", "b/x": "", "c/x": "", other: "" })
    const search = async (maxEntries: number) => {
      const { matches, truncated } = await filesIn(dir.path, { maxEntries }).search(".", "x")
      return [matches.length, truncated]
    }
    expect([await search(2), await search(3)]).toEqual([[2, true], [3, false]])
  })

  test("passes over what no caller could name", async () => {
    using dir = scratch({ "d/a": "" })
    plantUndecodable(dir.at("d"))
    expect(readdirSync(dir.at("d")).length).toBe(2)
    expect((await filesIn(dir.path).search(".")).matches).toEqual([dir.at("d"), dir.at("d/a")])
  })

  test.each([["none", "PATH_NOT_FOUND"], ["f", "NOT_A_DIRECTORY"]])("from %s is %s", async (path, code) => {
    using dir = scratch({ f: "" })
    expect(await outcome(filesIn(dir.path).search(path))).toBe(code)
  })

  test("measures a path from the root, wherever the walk began: what can't be asked for is left out, and it says so", async () => {
    using dir = scratch()
    const name = "n".repeat(200)
    dig(dir.path, name, 21, "a.txt")
    const files = filesIn(dir.path)
    const start = Array(19).fill(name).join("/")
    const { entries, truncated } = await files.list(start, 9)
    expect([entries.map(({ path }) => path.slice(dir.path.length + 1).length), truncated]).toEqual([[20 * 201 - 1], true])
    expect(await files.search(start)).toMatchObject({ matches: [entries[0]?.path], truncated: true })
  })
})
