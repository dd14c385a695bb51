import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { ToolError } from "../../src/errors.ts"
import { Fd } from "../../src/fs/fd.ts"
import { AT, O, openat } from "../../src/fs/libc.unsafe.ts"
import { copyTree } from "../../src/fs/tree-copy.ts"
import { scratch } from "../helpers/scratch.ts"

const open = (path: string): Fd => Fd.own(openat(AT.FDCWD, path, O.RDONLY | O.DIRECTORY))
const OPTIONS = { given: "d", refuses: () => null }

/** Names of a tree, relative, sorted. */
const names = (top: string): string[] => readdirSync(top, { recursive: true }).map(String).sort()

describe("copyTree", () => {
  test("takes up the listing of a wide level again where it left it, nothing twice and nothing missed", () => {
    using dir = scratch({ d: null, e: null })
    let at = dir.at("d")
    for (let level = 0; level < 24; level++) {
      for (let index = 0; index < 25; index++) writeFileSync(`${at}/${level}-${index}`, `${level}`)
      for (let index = 0; index < 25; index++) mkdirSync(`${at}/w${index}/x`, { recursive: true })
      at = `${at}/level`
      mkdirSync(at)
    }
    let copied = 0
    for (const so of copyTree(open(dir.at("d")), open(dir.at("e")), OPTIONS)) copied = so
    expect(names(dir.at("e"))).toEqual(names(dir.at("d")))
    expect(copied).toBe(names(dir.at("d")).length + 1)
  })

  test("a directory of many thousands comes whole", () => {
    using dir = scratch({ d: null, e: null })
    for (let index = 0; index < 5000; index++) writeFileSync(dir.at("d", `a name that fills the buffer sooner ${index}`), "")
    for (const _ of copyTree(open(dir.at("d")), open(dir.at("e")), OPTIONS)) continue
    expect(readdirSync(dir.at("e")).length).toBe(5000)
  })

  test("a part that is moved out while the walk is deep in it does not take the outside along", () => {
    using dir = scratch({ d: null, e: null, "out/secret": "outside" })
    const deep = `d${"/level".repeat(30)}`
    mkdirSync(dir.at(deep), { recursive: true })
    writeFileSync(dir.at(deep, "leaf"), "")
    const run = (): string => {
      try {
        for (const copied of copyTree(open(dir.at("d")), open(dir.at("e")), OPTIONS)) {
          if (copied === 1 && existsSync(dir.at("d/level/level/level"))) renameSync(dir.at("d/level/level/level"), dir.at("out/moved"))
        }
        return "ok"
      } catch (error) {
        return error instanceof ToolError ? error.code : String(error)
      }
    }
    expect(run()).toBe("MUTATION_IO_ERROR")
    expect(names(dir.at("e")).filter((name) => name.endsWith("secret"))).toEqual([])
    expect(readFileSync(dir.at("out/secret"), "utf8")).toBe("outside")
  })

  test("lets go of every descriptor when it is given up halfway", () => {
    using dir = scratch({ "d/a/b/c/x": "", "d/y": "", e: null })
    const before = readdirSync("/proc/self/fd").length
    for (const copied of copyTree(open(dir.at("d")), open(dir.at("e")), OPTIONS)) if (copied > 0) break
    expect(readdirSync("/proc/self/fd").length).toBe(before)
  })
})
