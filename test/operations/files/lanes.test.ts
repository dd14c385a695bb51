/** The operations in their real threads. */
import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { Lanes } from "../../../src/lane/lanes.ts"
import type { Lease } from "../../../src/lane/mutation-lock.ts"
import { codeOf, settingsOf } from "../../helpers/in-lane.ts"
import { scratch } from "../../helpers/scratch.ts"

const POLICY = { allowHidden: true, disableDefaultDeny: true, extraDenyGlobs: [] }
const FILES = { configuredRoot: "/files", maxBytes: 1_048_576, maxEntries: 10_000 }
const context = () => ({ signal: new AbortController().signal, deadline: performance.now() + 20_000 })
const tree = Object.fromEntries([...Array(600).keys()].map((at) => [`d/${at % 15}/${at}`, "x"]))

describe("tree operations", () => {
  test("have a thread of their own beside those for creates and for reads", async () => {
    using dir = scratch(tree)
    const lanes = new Lanes(() => {}, "rg")
    const files = lanes.add(settingsOf(dir.path, { policy: POLICY, files: FILES }))
    await Promise.all([
      files.mutateTree("filesCopy", { src: "d", dst: "e", overwrite: false }, context()),
      ...["a", "b"].map((path) => files.mutate("filesCreate", { path, content: "x", overwrite: false }, context())),
      files.read("filesStat", { path: "d" }, context()),
    ])
    expect([readdirSync(dir.path).sort(), readdirSync(dir.at("e")).length, lanes.threads]).toEqual([["a", "b", "d", "e"], 15, 3])
    await Promise.all(["d", "e"].map((path) => files.mutateTree("filesDeleteTree", { path }, context())))
    expect(readdirSync(dir.path).sort()).toEqual(["a", "b"])
    await lanes.close()
  })

  test("let a mutation elsewhere in between any two pieces", async () => {
    using dir = scratch({ ...Object.fromEntries(Object.entries(tree).map(([name, text]) => [`f/${name}`, text])), w: null })
    const lanes = new Lanes(() => {}, "rg")
    const files = lanes.add(settingsOf(dir.at("f"), { policy: POLICY, files: FILES }))
    const workdir = lanes.add(settingsOf(dir.at("w")))
    const removal = { over: false }
    const removed = files.mutateTree("filesDeleteTree", { path: "d" }, context()).finally(() => { removal.over = true })
    let meanwhile = 0
    for (let at = 0; !removal.over; at++) {
      await workdir.mutate("createTextFile", { path: `${at}`, content: "" }, context())
      if (!removal.over) meanwhile++
    }
    await removed
    expect(meanwhile).toBeGreaterThan(0)
    await lanes.close()
  })

  test("that the end of the gateway interrupts say how far they have come; what comes then is refused", async () => {
    using dir = scratch(tree)
    const lanes = new Lanes(() => {}, "rg")
    const files = lanes.add(settingsOf(dir.path, { policy: POLICY, files: FILES }))
    const lease = await new Promise<Lease>((grant) => lanes.lock.request(grant, () => {}))
    const removed = files.mutateTree("filesDeleteTree", { path: "d" }, context())
    const interrupted = lanes.interrupt(5000)
    expect(await codeOf(files.read("filesStat", { path: "d" }, context()))).toBe("WORKDIR_UNAVAILABLE")
    lease.release()
    await expect(removed).rejects.toThrow("WORKDIR_UNAVAILABLE: the gateway is being stopped; 0 removed by then")
    await interrupted
    expect(readdirSync(dir.at("d"))).toHaveLength(15)
    await lanes.close()
  })

  test("have half of a short time for their work, and the rest to say what became of it", async () => {
    using dir = scratch(tree)
    const lanes = new Lanes(() => {}, "rg")
    const files = lanes.add(settingsOf(dir.path, { policy: POLICY, files: FILES }))
    await files.mutateTree("filesDeleteTree", { path: "d" }, { ...context(), deadline: performance.now() + 1000 })
    expect(readdirSync(dir.path)).toEqual([])
    await lanes.close()
  })
})
