import { describe, expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { scratch } from "../helpers/scratch.ts"

interface Report {
  readonly found: number
  readonly foundTruncated: boolean
  readonly searched: number
  readonly unreadable: number
  readonly peakMb: number
}

const SCRIPT = new URL("find-and-report.ts", import.meta.url).pathname

/** With 64 descriptors at most, those of the runtime included. */
function report(root: string, pattern: string): Report {
  const { stdout, stderr } = Bun.spawnSync(["sh", "-c", `ulimit -n 64; exec "$0" "$@"`, process.execPath, SCRIPT, root, pattern])
  expect(stderr.toString()).toBe("")
  return JSON.parse(stdout.toString()) as Report
}

describe("find_files and search_text under ulimit -n 64", () => {
  test("walk a 5,000-way fan-out", () => {
    using dir = scratch()
    for (let index = 0; index < 5000; index++) {
      mkdirSync(dir.at(`d${index}`))
      writeFileSync(dir.at(`d${index}`, "x"), "needle\n")
    }
    expect(report(dir.path, "x")).toMatchObject({ found: 5000, foundTruncated: false, searched: 5000, unreadable: 0 })
  })

  test("stop in a directory of 220,000 entries, in bounded memory", () => {
    using dir = scratch({ "deep/a": "needle" })
    for (let index = 0; index < 220_000; index++) writeFileSync(dir.at(`f${index}`), "")
    const { peakMb, ...rest } = report(dir.path, "nothing")
    expect(rest).toEqual({ found: 0, foundTruncated: true, searched: 1, unreadable: 0 })
    expect(peakMb).toBeLessThan(300)
  })
})
