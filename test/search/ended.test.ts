/** ripgrep is killed and reaped whatever ends the search. The FIFO is an ignore file that it would wait for without end. */
import { describe, expect, test } from "bun:test"
import { rgPath } from "@vscode/ripgrep"
import { ToolError } from "../../src/errors.ts"
import { Lanes } from "../../src/lane/lanes.ts"
import { countChildren } from "../../src/metrics/children.ts"
import { settingsOf } from "../helpers/in-lane.ts"
import { LIMITS } from "../helpers/limits.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

const SEARCH = { query: "needle", path: "", glob: "", caseSensitive: true, limit: 10, regex: false, contextLines: 0, includeIgnored: false }

/** A search that is under way in a lane of its own. */
async function endless(dir: Scratch, searchTimeoutMs = 15_000) {
  dir.plant({ a: "needle", "z/.ignore": { fifo: true } })
  const lanes = new Lanes(() => {}, rgPath)
  const client = new AbortController()
  const directory = lanes.add(settingsOf(dir.path, { limits: { ...LIMITS, searchTimeoutMs } }))
  const answer = directory.read("searchText", SEARCH, { signal: client.signal, deadline: performance.now() + 30_000 })
  const outcome = answer.then(() => "answered", (error: Error) => (error instanceof ToolError ? error.code : error.constructor.name))
  while (countChildren() === 0) await Bun.sleep(5)
  return { lanes, client, outcome }
}

async function noChild(): Promise<void> {
  for (const end = performance.now() + 2000; countChildren() > 0 && performance.now() < end; ) await Bun.sleep(5)
  expect(countChildren()).toBe(0)
}

describe("a search that is under way leaves no child", () => {
  test("when its client goes away", async () => {
    using dir = scratch()
    const { lanes, client, outcome } = await endless(dir)
    client.abort()
    expect(await outcome).toBe("Cancelled")
    await noChild()
    await lanes.close()
  })

  test("when its deadline passes", async () => {
    using dir = scratch()
    const { lanes, outcome } = await endless(dir, 300)
    expect(await outcome).toBe("answered")
    await noChild()
    await lanes.close()
  })

  test("when the lanes are closed", async () => {
    using dir = scratch()
    const { lanes, outcome } = await endless(dir)
    await lanes.close()
    await noChild()
    expect(await outcome).toBe("Cancelled")
  })
})
