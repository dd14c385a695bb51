import { describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { findFiles, type FindFilesInput, type FindFilesOutput } from "../../src/operations/find-files.ts"
import type { DirectorySettings } from "../../src/operations/operation.ts"
import { asNobody } from "../helpers/as-nobody.ts"
import { dig } from "../helpers/dig.ts"
import { codeOf, inLane, newCall, settingsOf } from "../helpers/in-lane.ts"
import { LIMITS } from "../helpers/limits.ts"
import { scratch } from "../helpers/scratch.ts"

function find(root: string, pattern: string, more: Partial<FindFilesInput> = {}, settings: Partial<DirectorySettings> = {}): Promise<FindFilesOutput> {
  const input = { pattern, path: "", limit: 50, type: "file" as const, ...more }
  return inLane(settingsOf(root, settings), findFiles, input)
}

function walking(maxWalkEntries: number): Partial<DirectorySettings> {
  return { limits: { ...LIMITS, maxWalkEntries } }
}

describe("findFiles()", () => {
  test("orders a directory's own matches before those below it, by code point", async () => {
    using dir = scratch({ "b": "", "a/z": "", "a/b/c": "", "é": "", "😀": "", "\ufb00": "", "c/a": "" })
    const { paths } = await find(dir.path, "*")
    expect(paths).toEqual(["b", "é", "\ufb00", "😀", "a/z", "a/b/c", "c/a"])
  })

  test("matches names that are hard to write: newline, leading dash, quotes, escapes, tilde", async () => {
    const names = ["a\nb.txt", "-e.txt", `"'\`.txt`, "\u001b[31m.txt", "~x.txt", "$(x).txt", "\\n.txt"]
    using dir = scratch(Object.fromEntries(names.map((name) => [name, ""])))
    expect((await find(dir.path, "*.txt")).paths).toEqual([...names].sort())
    for (const name of names) expect((await find(dir.path, name)).paths).toEqual([name])
  })

  test("skips names that are not UTF-8, and goes on behind them", async () => {
    using dir = scratch({ "z/a.txt": "" })
    const bad = Buffer.concat([Buffer.from(`${dir.path}/`), Buffer.from([0x66, 0xff])])
    mkdirSync(bad)
    writeFileSync(Buffer.concat([bad, Buffer.from("/a.txt")]), "")
    expect((await find(dir.path, "a.txt")).paths).toEqual(["z/a.txt"])
  })

  test("tells files, directories, links and the rest apart, and never enters a link", async () => {
    using dir = scratch({ "d/f": "", "l": { link: "d" }, "loop": { link: "." }, "p": { fifo: true } })
    expect((await find(dir.path, "*")).paths).toEqual(["d/f"])
    expect((await find(dir.path, "*", { type: "directory" })).paths).toEqual(["d"])
    expect((await find(dir.path, "*", { type: "symlink" })).paths).toEqual(["l", "loop"])
    expect((await find(dir.path, "*", { type: "other" })).paths).toEqual(["p"])
    expect((await find(dir.path, "*", { type: "any" })).paths).toEqual(["d", "l", "loop", "p", "d/f"])
  })

  test("does not enter what a path pattern can't match in, so that only the rest is counted", async () => {
    using dir = scratch({ "src/a.ts": "", "lib/1": "", "lib/2": "", "lib/3": "" })
    expect(await find(dir.path, "src/*.ts", {}, walking(3))).toEqual({ paths: ["src/a.ts"], truncated: false })
    expect((await find(dir.path, "*.ts", {}, walking(3))).truncated).toBe(true)
  })

  test("is not truncated when the tree has exactly maxWalkEntries entries", async () => {
    using dir = scratch({ "a": "", "b": "", "c/d": "" })
    expect(await find(dir.path, "d", {}, walking(4))).toEqual({ paths: ["c/d"], truncated: false })
    expect((await find(dir.path, "d", {}, walking(3))).truncated).toBe(true)
  })

  test("leaves out a sub-directory that can't be read, and refuses a start that can't with ACCESS_DENIED", async () => {
    using dir = scratch({ "no/a.txt": "", "yes/a.txt": "" })
    chmodSync(dir.at("no"), 0)
    using _ = asNobody(dir.path)
    expect(await find(dir.path, "a.txt")).toEqual({ paths: ["yes/a.txt"], truncated: false })
    expect(await codeOf(find(dir.path, "*", { path: "no" }))).toBe("ACCESS_DENIED")
  })

  test("leaves out paths of over 4,096 bytes, as they would have to be written, and says truncated", async () => {
    // 241 names of 16 bytes and the slashes between them are 4,096 bytes; before a "~" a caller has to put "./".
    for (const [name, reached] of [["d".repeat(16), 241], [`~${"d".repeat(15)}`, 240]] as const) {
      using dir = scratch({ "a.txt": "" })
      dig(dir.path, name, 250, "a.txt")
      expect(await find(dir.path, "a.txt")).toEqual({ paths: ["a.txt"], truncated: true })
      expect((await find(dir.path, name, { type: "directory", limit: 1000 })).paths.length).toBe(reached)
    }
  })

  test("answers with what it has when the call's time runs out", async () => {
    using dir = scratch({ "a": "", "b/a": "" })
    const input = { pattern: "a", path: "", limit: 50, type: "file" as const }
    expect(await inLane(settingsOf(dir.path), findFiles, input, newCall(400))).toEqual({ paths: ["a"], truncated: true })
  })

  test("lets other calls in between any two names, where matching them takes long", async () => {
    using dir = scratch({ a: "", b: "", c: "" })
    let breaths = 0
    const call = new Proxy(newCall(), {
      get: (target, name) => (name === "isDue" ? true : name === "breathe" ? async () => { breaths += 1 } : Reflect.get(target, name, target).bind?.(target)),
    })
    await inLane(settingsOf(dir.path), findFiles, { pattern: "*", path: "", limit: 50, type: "file" }, call)
    expect(breaths).toBeGreaterThanOrEqual(3)
  })
})
