/** The engine of recursive delete, an entry at a time, with another program at work between two entries. */
import { describe, expect, test } from "bun:test"
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { ToolError } from "../../../src/errors.ts"
import { Root } from "../../../src/fs/root.ts"
import { DEEP } from "../../../src/fs/tree/raise.ts"
import { removeTree } from "../../../src/fs/tree/remove.ts"
import { asNobody } from "../../helpers/as-nobody.ts"
import { dig } from "../../helpers/dig.ts"
import { scratch } from "../../helpers/scratch.ts"

const OPTIONS = { given: "d", unchangedSince: null }

/** Runs to the end, with `meanwhile` after the first entry has gone. Returns how it ended. */
function removing(root: string, meanwhile: () => void): string {
  using opened = Root.open(root)
  let done = false
  try {
    for (const removed of removeTree(opened.self, "d", OPTIONS)) {
      if (removed === 0 || done) continue
      done = true
      meanwhile()
    }
    return "ok"
  } catch (error) {
    return error instanceof ToolError ? error.code : String(error)
  }
}

const below = (levels: number): string => `d/${"level/".repeat(levels)}`

describe("removeTree", () => {
  test("a part that is moved out of the tree while the walk is deep in it takes nothing outside with it", () => {
    using dir = scratch({ "root/d": null, "out/keep/precious": "x", "out/other": "x" })
    dig(dir.at("root/d"), "level", 40, "leaf")
    // The way back from the moved part leads to `out` by its `..`: that is not the directory that was left.
    expect(removing(dir.at("root"), () => renameSync(dir.at("root", below(5)), dir.at("out/moved")))).toBe("MUTATION_IO_ERROR")
    expect([readdirSync(dir.at("out")).sort(), readdirSync(dir.at("out/keep")), readdirSync(dir.at("out/moved"))]).toEqual([["keep", "moved", "other"], ["precious"], []])
  })

  test("a directory that becomes a link to the outside while it waits its turn is removed as a link", () => {
    using dir = scratch({ "root/d/a/x": "", "root/d/b/x": "", "out/precious": "x" })
    const swap = () => {
      for (const name of ["a", "b"]) {
        if (!existsSync(dir.at("root/d", name, "x"))) continue
        rmSync(dir.at("root/d", name), { recursive: true })
        symlinkSync(dir.at("out"), dir.at("root/d", name))
      }
    }
    expect(removing(dir.at("root"), swap)).toBe("ok")
    expect([readdirSync(dir.at("root")), readdirSync(dir.at("out"))]).toEqual([[], ["precious"]])
  })

  test("a file that becomes a directory, and the reverse, are removed as what they are", () => {
    using dir = scratch({ "root/d/a": "", "root/d/b": "", "root/d/c/x": "", "root/d/e/x": "" })
    const swap = () => {
      for (const name of ["a", "b"].filter((each) => existsSync(dir.at("root/d", each)))) {
        rmSync(dir.at("root/d", name))
        mkdirSync(dir.at("root/d", name, "sub"), { recursive: true })
      }
      for (const name of ["c", "e"].filter((each) => existsSync(dir.at("root/d", each, "x")))) {
        rmSync(dir.at("root/d", name), { recursive: true })
        writeFileSync(dir.at("root/d", name), "")
      }
    }
    expect(removing(dir.at("root"), swap)).toBe("ok")
    expect(readdirSync(dir.at("root"))).toEqual([])
  })

  test("a tree whose levels are wide as well as deep goes whole, though their listings are taken up again", () => {
    using dir = scratch({ "root/d": null })
    for (let level = 0; level < 20; level++) {
      mkdirSync(dir.at("root", below(level), "level"))
      for (let at = 0; at < 30; at++) mkdirSync(dir.at("root", below(level), `w${at}`))
    }
    expect(removing(dir.at("root"), () => {})).toBe("ok")
    expect(readdirSync(dir.at("root"))).toEqual([])
  })

  /** What has been brought to the top of the tree from far down. */
  const raised = (top: string): string[] => readdirSync(top).filter((name) => name.startsWith(".serverfs-tmp-"))

  test("a tree far deeper than most goes whole, with few descriptors and every entry counted", () => {
    using dir = scratch({ "root/d": null })
    const levels = 4 * DEEP
    dig(dir.at("root/d"), "level", levels, "leaf")
    using opened = Root.open(dir.at("root"))
    const before = readdirSync("/proc/self/fd").length
    let most = 0, last = 0
    for (const removed of removeTree(opened.self, "d", OPTIONS)) {
      last = removed
      most = Math.max(most, readdirSync("/proc/self/fd").length - before)
    }
    expect([readdirSync(dir.at("root")), last]).toEqual([[], levels + 2])
    expect(most).toBeLessThan(16)
  })

  test("what was brought up and becomes a link to the outside is removed as a link", () => {
    using dir = scratch({ "root/d": null, "out/precious": "x" })
    dig(dir.at("root/d"), "level", 3 * DEEP, "leaf")
    using opened = Root.open(dir.at("root"))
    let swapped = 0
    for (const _ of removeTree(opened.self, "d", OPTIONS)) {
      for (const name of existsSync(dir.at("root/d")) && swapped === 0 ? raised(dir.at("root/d")) : []) {
        renameSync(dir.at("root/d", name), dir.at("moved"))
        symlinkSync(dir.at("out"), dir.at("root/d", name))
        swapped++
      }
    }
    expect([swapped, readdirSync(dir.at("root")), readdirSync(dir.at("out")), readdirSync(dir.at("moved"))]).toEqual([1, [], ["precious"], ["level"]])
  })

  test("given up halfway, what was brought up is inside the tree, and goes with it another time", () => {
    using dir = scratch({ "root/d": null })
    dig(dir.at("root/d"), "level", 3 * DEEP, "leaf")
    using opened = Root.open(dir.at("root"))
    for (const _ of removeTree(opened.self, "d", OPTIONS)) if (raised(dir.at("root/d")).length > 0) break
    expect([readdirSync(dir.at("root")), raised(dir.at("root/d")).length]).toEqual([["d"], 1])
    expect(removing(dir.at("root"), () => {})).toBe("ok")
    expect(readdirSync(dir.at("root"))).toEqual([])
  })

  test("what was copied, and must stay where it has changed since, is not brought up", () => {
    using dir = scratch({ "root/d": null })
    dig(dir.at("root/d"), "level", 2 * DEEP, "leaf")
    using opened = Root.open(dir.at("root"))
    let most = 0
    for (const _ of removeTree(opened.self, "d", { given: "d", unchangedSince: 2n ** 62n })) most = Math.max(most, existsSync(dir.at("root/d")) ? raised(dir.at("root/d")).length : 0)
    expect([most, readdirSync(dir.at("root"))]).toEqual([0, []])
  })

  test("an empty directory far down that may not be brought up goes from where it is", () => {
    using dir = scratch({ "root/d": null })
    chmodSync(dir.at("root"), 0o777)
    {
      using _ = asNobody(dir.path)
      mkdirSync(dir.at("root/e"))
      dig(dir.at("root/e"), "level", DEEP + 5, "leaf")
    }
    mkdirSync(dir.at(`root/e${"/level".repeat(DEEP + 5)}/shut`), { mode: 0o755 })
    using _ = asNobody(dir.path)
    using opened = Root.open(dir.at("root"))
    for (const _ of removeTree(opened.self, "e", OPTIONS)) continue
    expect(readdirSync(dir.at("root"))).toEqual(["d"])
  })

  test("lets go of every descriptor when it is given up halfway", () => {
    using dir = scratch({ "root/d": null })
    dig(dir.at("root/d"), "level", 20, "leaf")
    using opened = Root.open(dir.at("root"))
    const before = readdirSync("/proc/self/fd").length
    for (const removed of removeTree(opened.self, "d", OPTIONS)) if (removed > 2) break
    expect(readdirSync("/proc/self/fd").length).toBe(before)
  })
})
