import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { runAttempts } from "./run.ts"
import { makeTree } from "./tree.ts"

const WITHOUT_LANDLOCK = [process.execPath, join(import.meta.dir, "no-landlock.ts")]

describe("confine() on a kernel without Landlock", () => {
  test("goes on with auto, unconfined, and says why", () => {
    using tree = makeTree()
    const { confinement, answers } = runAttempts({ words: WITHOUT_LANDLOCK, mode: "auto", tree, attempts: [["list", "/"]] })
    expect(answers).toEqual(["done"])
    expect(confinement).toMatchObject({ state: "unavailable", abi: null, filesystem: false, tcp: false })
    expect(confinement.reason).toMatch(/no Landlock/)
  })

  test("refuses required with CONFIGURATION_ERROR and the remedy", () => {
    using tree = makeTree()
    const run = () => runAttempts({ words: WITHOUT_LANDLOCK, tree, attempts: [] })
    expect(run).toThrow(/CONFIGURATION_ERROR: SERVERFS_CONFINE=required, but there is no Landlock.*Linux 6\.2/)
  })
})

describe("confine() on this kernel", () => {
  test.each(["auto", "required"] as const)("confines with %s", (mode) => {
    using tree = makeTree()
    const { confinement, answers } = runAttempts({ mode, tree, attempts: [["list", "/"], ["list", tree.readOnly]] })
    expect(answers).toEqual(["EACCES", "done"])
    expect(confinement.filesystem).toBe(true)
  })

  test("names a root that it cannot open: CONFIGURATION_ERROR", () => {
    using tree = makeTree()
    const config = tree.config("auto")
    const gone = { ...tree, config: () => ({ ...config, files: { ...config.files!, root: `${tree.base}/missing` } }) }
    expect(() => runAttempts({ tree: gone, attempts: [] })).toThrow(/CONFIGURATION_ERROR: .*\/missing.*ENOENT/)
  })
})
