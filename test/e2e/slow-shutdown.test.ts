/** SIGTERM while a call hangs: it has its grace, then the process ends all the same, with nothing left behind or unrecorded. */
import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { startProduct } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"
import { CHANNELS } from "./channels.ts"
import { holdSearch } from "./held-search.ts"

const GRACE_MS = 3000

describe("SIGTERM with a call that hangs", () => {
  test.each(CHANNELS)("over $name ends the process after its grace: the call is recorded, its ripgrep gone, the client told", async ({ call }) => {
    using tree = scratch(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`${i % 50}/${i}.txt`, "hello\n".repeat(50)])))
    await using product = await startProduct({ workdirs: { wide: tree.path } })
    const { answer, child } = await holdSearch(product, () => call({ url: product.url, mount: "/mcp", token: product.token }, "search_text", { workdir: "wide", query: "not there" }))
    const since = performance.now()
    product.kill("SIGTERM")
    expect(await product.exited).toBe(0)
    expect(performance.now() - since).toBeGreaterThan(GRACE_MS - 500)
    expect(performance.now() - since).toBeLessThan(GRACE_MS + 4000)
    expect((await answer).code).toBe("WORKDIR_UNAVAILABLE")
    expect(existsSync(`/proc/${child}`)).toBe(false)
    expect(product.log.map(({ event, tool }) => tool ?? event)).toEqual(["startup", "search_text", "shutdown"])
  })
})
