import { describe, expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { exemptRoots } from "../../src/confine/exempt.ts"
import { runAttempts } from "./run.ts"
import { makeTree } from "./tree.ts"

describe("exemptRoots()", () => {
  test("is empty when state and audit have directories of their own", () => {
    using tree = makeTree()
    expect(exemptRoots(tree.config("auto"))).toEqual([])
  })

  test("names the read-only roots around which the audit or the state is kept, through links too", () => {
    using tree = makeTree()
    const config = tree.config("auto")
    const auditFile = { path: `${tree.base}/audit.log`, maxBytes: 1, keep: 1 }
    symlinkSync(tree.base, `${tree.base}/audit/to-base`)
    expect(exemptRoots({ ...config, auditFile })).toEqual(["ro"])
    expect(exemptRoots({ ...config, stateDir: `${tree.base}/audit/to-base` })).toEqual(["ro"])
    expect(exemptRoots({ ...config, auditFile, files: { ...config.files!, readOnly: true } })).toEqual(["ro", "files"])
  })

  test.each([{ stateDir: "/" }, { auditFile: { path: "/audit.log", maxBytes: 1, keep: 1 } }])("refuses %o with CONFIGURATION_ERROR", (own) => {
    using tree = makeTree()
    expect(() => exemptRoots({ ...tree.config("auto"), ...own })).toThrow(/CONFIGURATION_ERROR: the state directory or the audit file is in \//)
  })

  test("says what the kernel does: the exempt root can be changed, and confine() calls it partial", () => {
    using tree = makeTree()
    const audited = { ...tree, config: () => ({ ...tree.config("auto"), auditFile: { path: `${tree.base}/audit.log`, maxBytes: 1, keep: 1 } }) }
    const { confinement, answers } = runAttempts({ tree: audited, attempts: [["append", `${tree.readOnly}/f0`]] })
    expect(answers).toEqual(["done"])
    expect(confinement).toMatchObject({ state: "partial", exempt: ["ro"] })
  })

  test("is refused where confinement is required", () => {
    using tree = makeTree()
    const audited = { ...tree, config: () => ({ ...tree.config("required"), auditFile: { path: `${tree.base}/audit.log`, maxBytes: 1, keep: 1 } }) }
    expect(() => runAttempts({ tree: audited, attempts: [] })).toThrow(/SERVERFS_CONFINE=required, but the audit file or the state lies around a read-only root \(ro\)/)
  })
})
