import { describe, expect, test } from "bun:test"
import { scratch } from "../helpers/scratch.ts"

const SEARCHES = 500

describe("searchText() aborted", () => {
  test(`${SEARCHES} times leaves no child, no descriptor and no timer`, async () => {
    // Big enough that a search is under way when it is aborted.
    using dir = scratch(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`d${index % 20}/f${index}`, `${"x".repeat(99)}\n`.repeat(2000)])))
    const script = new URL("abort-searches.ts", import.meta.url).pathname
    await using child = Bun.spawn([process.execPath, script, dir.path, String(SEARCHES)], { stdout: "pipe", stderr: "inherit" })
    const output = child.stdout.getReader()
    const first = await output.read()
    const said = performance.now()
    expect(await child.exited).toBe(0)
    const result = JSON.parse(new TextDecoder().decode(first.value)) as Record<string, number>
    console.log(JSON.stringify(result))
    expect(result.descriptors).toBe(0)
    expect(result.children).toBe(0)
    expect(result.cancelled).toBeGreaterThan(SEARCHES / 4)
    // A timer of the search's deadline (15 s) or the call's (30 s) would keep the process.
    expect(performance.now() - said).toBeLessThan(3000)
  })
})
