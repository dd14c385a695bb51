import { describe, expect, test } from "bun:test"
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs"
import { ToolError } from "../../../src/errors.ts"
import { Fd } from "../../../src/fs/fd.ts"
import { AT, O } from "../../../src/fs/flags.ts"
import { openat } from "../../../src/fs/libc.unsafe.ts"
import { copyTree } from "../../../src/fs/tree/copy.ts"
import { DEEP } from "../../../src/fs/tree/raise.ts"
import { asNobody } from "../../helpers/as-nobody.ts"
import { scratch } from "../../helpers/scratch.ts"

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

  /** A chain of directories with a file in each, further down than directories are left in their place. */
  const LEVELS = DEEP + 40
  const chain = (top: string): string[] => [...Array(LEVELS).keys()].map((level) => {
    const dir = top + "/level".repeat(level)
    mkdirSync(dir, { recursive: true })
    writeFileSync(`${dir}/file`, `${level}`)
    return dir
  })
  /** Of `e`: what the directories far down are called until they are whole. */
  const raised = (top: string): string[] => {
    const ground = top + "/level".repeat(DEEP - 1)
    return existsSync(ground) ? readdirSync(ground).filter((name) => name.startsWith(".serverfs-tmp-")).map((name) => `${ground}/${name}`) : []
  }

  test("a tree far deeper than most comes whole, every level in its place with its mode, times and content", () => {
    using dir = scratch({ d: null, e: null })
    for (const each of chain(dir.at("d")).reverse()) chmodSync(each, 0o750)
    let most = 0, copied = 0
    const before = readdirSync("/proc/self/fd").length
    for (const so of copyTree(open(dir.at("d")), open(dir.at("e")), OPTIONS)) {
      copied = so
      most = Math.max(most, readdirSync("/proc/self/fd").length - before)
    }
    expect(copied).toBe(2 * LEVELS)
    expect(most).toBeLessThan(24)
    for (let level = 0; level < LEVELS; level++) {
      const below = "/level".repeat(level)
      const from = lstatSync(dir.at("d") + below), to = lstatSync(dir.at("e") + below)
      expect([level, to.mode, to.mtimeMs, readFileSync(dir.at("e") + `${below}/file`, "utf8")]).toEqual([level, from.mode, from.mtimeMs, String(level)])
    }
    expect(names(dir.at("e"))).toEqual(names(dir.at("d")))
  })

  test("directories far down that their owner may not write to come too", () => {
    using dir = scratch({ "root/d": null, "root/e": null })
    for (const each of chain(dir.at("root/d")).reverse()) chmodSync(each, 0o555)
    if (process.getuid?.() === 0) chownSync(dir.at("root/e"), 65_534, 65_534)
    chmodSync(dir.at("root"), 0o755)
    {
      using _ = asNobody(dir.path)
      for (const _ of copyTree(open(dir.at("root/d")), open(dir.at("root/e")), OPTIONS)) continue
    }
    expect(names(dir.at("root/e"))).toEqual(names(dir.at("root/d")))
    expect(lstatSync(dir.at("root/e") + "/level".repeat(LEVELS - 1)).mode & 0o777).toBe(0o555)
  })

  test.each(["a link to the outside", "another directory"])("far down, a directory that %s takes the place of while its children are copied ends the copy, and nothing goes outside", (what) => {
    using dir = scratch({ d: null, e: null, "out/file": "outside" })
    chain(dir.at("d"))
    let swapped = 0
    const run = (): string => {
      try {
        for (const _ of copyTree(open(dir.at("d")), open(dir.at("e")), OPTIONS)) {
          if (swapped > 0 || raised(dir.at("e")).length < LEVELS - DEEP) continue
          for (const path of raised(dir.at("e"))) {
            renameSync(path, dir.at(`moved-${swapped++}`))
            if (what === "another directory") mkdirSync(path)
            else symlinkSync(dir.at("out"), path)
          }
        }
        return "ok"
      } catch (error) {
        return error instanceof ToolError ? error.code : String(error)
      }
    }
    expect(run()).toBe("MUTATION_IO_ERROR")
    expect(swapped).toBe(LEVELS - DEEP)
    expect([readdirSync(dir.at("out")), readFileSync(dir.at("out/file"), "utf8")]).toEqual([["file"], "outside"])
  })

  test("lets go of every descriptor when it is given up halfway", () => {
    using dir = scratch({ "d/a/b/c/x": "", "d/y": "", e: null })
    const before = readdirSync("/proc/self/fd").length
    for (const copied of copyTree(open(dir.at("d")), open(dir.at("e")), OPTIONS)) if (copied > 0) break
    expect(readdirSync("/proc/self/fd").length).toBe(before)
  })
})
