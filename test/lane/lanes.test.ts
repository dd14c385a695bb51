import { describe, expect, test } from "bun:test"
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from "node:fs"
import { rgPath } from "@vscode/ripgrep"
import { Cancelled } from "../../src/errors.ts"
import { Lanes } from "../../src/lane/lanes.ts"
import type { Read } from "../../src/operations/index.ts"
import type { Lease } from "../../src/lane/mutation-lock.ts"
import type { LaneContext } from "../../src/lane/pending-call.ts"
import { codeOf, settingsOf } from "../helpers/in-lane.ts"
import { scratch } from "../helpers/scratch.ts"

const context = (more: Partial<LaneContext> = {}): LaneContext => (
  { signal: new AbortController().signal, deadline: performance.now() + 10_000, ...more }
)

function opened(path: string) {
  const lanes = new Lanes(() => {}, rgPath)
  return { directory: lanes.add(settingsOf(path)), lanes, [Symbol.dispose]: () => void lanes.close() }
}

describe("DirectoryLanes.read()", () => {
  test("answers from a thread of the directory's own", async () => {
    using dir = scratch({ "a.txt": "hello" })
    using at = opened(dir.path)
    expect((await at.directory.read("statFile", { path: "a.txt" }, context())).size).toBe(5)
    expect(at.directory.threads).toBe(1)
  })

  test("brings a refusal back with its code and path", async () => {
    using dir = scratch()
    using at = opened(dir.path)
    const refused = at.directory.read("statFile", { path: "none" }, context())
    await expect(refused).rejects.toThrow("PATH_NOT_FOUND: 'none': nothing exists at this path")
  })

  test("starts no more than four lanes under a burst, and answers every call", async () => {
    using dir = scratch({ "a.txt": "hello" })
    using at = opened(dir.path)
    const answers = await Promise.all(Array.from({ length: 500 }, () => at.directory.read("statFile", { path: "a.txt" }, context())))
    expect(answers.every(({ size }) => size === 5)).toBe(true)
    expect(at.directory.threads).toBeLessThanOrEqual(4)
  })

  test("says that a call goes on until its lane has come back, also when its client has gone", async () => {
    using dir = scratch({ "a.txt": "hello" })
    using at = opened(dir.path)
    let going = 0
    const begin = () => {
      going += 1
      return () => { going -= 1 }
    }
    await at.directory.read("statFile", { path: "a.txt" }, context({ begin }))
    expect(await codeOf(at.directory.read("statFile", { path: "none" }, context({ begin })))).toBe("PATH_NOT_FOUND")
    expect(going).toBe(0)
    const client = new AbortController()
    const calls = Array.from({ length: 50 }, () => at.directory.read("statFile", { path: "a.txt" }, context({ begin, signal: client.signal })))
    client.abort()
    const outcomes = await Promise.allSettled(calls)
    expect([outcomes.every(({ status }) => status === "rejected"), going]).toEqual([true, 50])
    await at.directory.read("statFile", { path: "a.txt" }, context())
    while (going > 0) await Bun.sleep(5)
  })

  test("drops a call whose client has gone, before and after it was sent", async () => {
    using dir = scratch({ "a.txt": "hello" })
    using at = opened(dir.path)
    await expect(at.directory.read("statFile", { path: "a.txt" }, context({ signal: AbortSignal.abort() }))).rejects.toBeInstanceOf(Cancelled)
    const controller = new AbortController()
    const going = at.directory.read("listDirectory", { path: "", offset: 0, limit: 10 }, context({ signal: controller.signal }))
    controller.abort()
    await expect(going).rejects.toBeInstanceOf(Cancelled)
    expect((await at.directory.read("statFile", { path: "a.txt" }, context())).size).toBe(5)
  })

  test.each<[Read, object]>([
    ["statFile", { path: "" }], ["listDirectory", { path: "", offset: 0, limit: 10 }], ["findFiles", { pattern: "*", path: "", limit: 10, type: "any" }],
    ["filesStat", { path: "." }], ["filesList", { path: ".", depth: 0 }], ["filesSearch", { path: ".", pattern: "*", recursive: true }], ["filesRead", { path: "a.txt" }],
  ])("%s is the first to find the directory gone, and serves the one that is made anew", async (op, input) => {
    using dir = scratch({ "root/a.txt": "hello" })
    const root = dir.at("root")
    const lanes = new Lanes(() => {}, rgPath)
    const files = op.startsWith("files") ? { configuredRoot: root, maxBytes: 1000, maxEntries: 1000 } : null
    const directory = lanes.add(settingsOf(root, { files }))
    const ask = () => directory.read(op, input as never, context())
    await ask()
    rmSync(root, { recursive: true })
    expect(await codeOf(ask())).toBe("WORKDIR_UNAVAILABLE")
    mkdirSync(root)
    writeFileSync(`${root}/a.txt`, "hello")
    await ask()
    await lanes.close()
  })

  test("opens it anew in every thread once one has found it gone", async () => {
    using dir = scratch({ root: null })
    using at = opened(dir.at("root"))
    const burst = () => Promise.all(Array.from({ length: 20 }, () => at.directory.read("statFile", { path: "" }, context())))
    await burst()
    expect(at.directory.threads).toBeGreaterThan(1)
    rmdirSync(dir.at("root"))
    expect(await codeOf(at.directory.read("statFile", { path: "" }, context()))).toBe("WORKDIR_UNAVAILABLE")
    mkdirSync(dir.at("root"))
    expect(await burst()).toHaveLength(20)
  })

  test("says WORKDIR_UNAVAILABLE while the directory is gone, and serves again once it is back", async () => {
    using dir = scratch({ root: null })
    using at = opened(dir.at("root"))
    await at.directory.read("statFile", { path: "" }, context())
    rmdirSync(dir.at("root"))
    expect(await codeOf(at.directory.read("statFile", { path: "" }, context()))).toBe("WORKDIR_UNAVAILABLE")
    expect(await codeOf(at.directory.read("statFile", { path: "a" }, context()))).toBe("WORKDIR_UNAVAILABLE")
    expect(at.directory.available).toBe(false)
    mkdirSync(dir.at("root"))
    writeFileSync(dir.at("root", "a"), "back")
    expect((await at.directory.read("statFile", { path: "a" }, context())).size).toBe(4)
    expect(at.directory.available).toBe(true)
  })
})

describe("Lanes.close()", () => {
  test("answers what never comes back, so that it is recorded", async () => {
    using dir = scratch({ "a.txt": "hello" })
    const lanes = new Lanes(() => {}, rgPath)
    const directory = lanes.add(settingsOf(dir.path))
    const lease = await new Promise<Lease>((grant) => lanes.lock.request(grant, () => {}))
    const waiting = codeOf(directory.mutateTree("filesDeleteTree", { path: "a.txt" }, context()))
    while (lanes.lock.waiting === 0) await Bun.sleep(5)
    let answered = ""
    void waiting.then((code) => { answered = code })
    await lanes.close()
    expect(answered).toBe("WORKDIR_UNAVAILABLE")
    lease.release()
  })
})
