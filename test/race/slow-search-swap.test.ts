/** A directory and a symlink to the outside exchange their names without pause. Plain ripgrep is the control: it leaks. */
import { describe, expect, test } from "bun:test"
import { rgPath } from "@vscode/ripgrep"
import { findFiles } from "../../src/operations/find-files.ts"
import { searchText } from "../../src/operations/search-text.ts"
import { inLane, settingsOf } from "../helpers/in-lane.ts"
import { scratch } from "../helpers/scratch.ts"
import { swapping } from "../helpers/swapper.ts"

const SECONDS = 60
const FILES = 200

/** Both sides have files of the same names, and the line is found in either; only the inside says INSIDE. */
function lined(text: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: FILES }, (_, index) => [`sub/f${index}`, `needle ${text}\n`]))
}

const SEARCH = { query: "needle", path: "", glob: "", caseSensitive: true, limit: 1000, regex: false, contextLines: 1, includeIgnored: false }

describe("under a directory/symlink swap", () => {
  test("search_text never returns an outside byte, and plain ripgrep does", async () => {
    using outside = scratch(lined("OUTSIDE"))
    using dir = scratch(Object.fromEntries(Object.entries(lined("INSIDE")).map(([name, text]) => [`d/${name}`, text])))
    dir.plant({ l: { link: outside.path } })
    await using swapper = swapping(dir.path, "d", "l")
    const seen = { inside: 0, nothing: 0, outside: 0, leaksOfControl: 0, runs: 0 }
    for (const end = performance.now() + SECONDS * 1000; performance.now() < end; seen.runs++) {
      const regex = seen.runs % 2 === 1
      const { matches } = await inLane(settingsOf(dir.path), searchText, { ...SEARCH, regex, path: seen.runs % 4 === 0 ? "" : "." })
      if (matches.length === 0) seen.nothing++
      for (const { text, before, after } of matches) {
        if (JSON.stringify([text, before, after]).includes("OUTSIDE")) seen.outside++
        else seen.inside++
      }
      const control = Bun.spawnSync([rgPath, "--no-config", "needle", "."], { cwd: dir.path, env: {} })
      if (control.stdout.includes("OUTSIDE")) seen.leaksOfControl++
    }
    console.log(`search_text: ${JSON.stringify(seen)}, ${swapper.count} exchanges`)
    expect(seen.outside).toBe(0)
    // It counts only if the race was really run: something was found, and the control leaked.
    expect([seen.inside > 0, seen.leaksOfControl > 0, swapper.count > 100_000]).toEqual([true, true, true])
  })

  test("find_files never returns a name from outside, and plain find does", async () => {
    using outside = scratch({ "sub/only-outside": "" })
    using dir = scratch({ "d/sub/inside": "", l: { link: outside.path } })
    await using swapper = swapping(dir.path, "d", "l")
    const seen = { inside: 0, nothing: 0, outside: 0, leaksOfControl: 0, runs: 0 }
    for (const end = performance.now() + SECONDS * 500; performance.now() < end; seen.runs++) {
      const { paths } = await inLane(settingsOf(dir.path), findFiles, { pattern: "*side", path: "", limit: 50, type: "any" })
      if (paths.length === 0) seen.nothing++
      else if (paths.some((path) => path.includes("outside"))) seen.outside++
      else seen.inside++
      if (seen.runs % 100 !== 0) continue
      const control = Bun.spawnSync(["find", "d/", "l/", "-name", "*side"], { cwd: dir.path, env: {} })
      if (control.stdout.includes("outside")) seen.leaksOfControl++
    }
    console.log(`find_files: ${JSON.stringify(seen)}, ${swapper.count} exchanges`)
    expect(seen.outside).toBe(0)
    expect([seen.inside > 0, seen.leaksOfControl > 0, swapper.count > 100_000]).toEqual([true, true, true])
  })
})
