import { describe, expect, test } from "bun:test"
import { judge } from "../../src/doctor/root/guarantees.ts"
import { type Capabilities, hasOpenat2, probeCapabilities } from "../../src/fs/capabilities.ts"
import { Root } from "../../src/fs/root.ts"
import { scratch } from "../helpers/scratch.ts"

const ALL_WELL: Capabilities = {
  nameless: null, links: null, noReplace: null, xattrs: null, fileSync: null, directorySync: null, changeTime: null, inodes: null,
}

function levels(shortcomings: Partial<Capabilities>): string[] {
  return judge("r", { ...ALL_WELL, ...shortcomings }).filter(({ level, message }) => level !== "ok" || message.includes("(why)")).map(({ level }) => level)
}

describe("judge()", () => {
  test("has nothing against a filesystem that does all", () => {
    expect(levels({})).toEqual([])
  })

  test.each([
    ["nameless", ["ok"]],
    ["xattrs", ["ok"]],
    ["links", ["warning"]],
    ["noReplace", ["warning"]],
    ["directorySync", ["warning"]],
    ["fileSync", ["error"]],
    ["changeTime", ["error"]],
    ["inodes", ["error"]],
  ] as const)("weighs a lack of %s", (capability, expected) => {
    expect(levels({ [capability]: "why" })).toEqual([...expected])
  })

  test("needs hard links or a rename that does not replace: neither is an error", () => {
    expect(levels({ links: "why", noReplace: "why" })).toEqual(["warning", "warning", "error"])
  })

  test("says for everything that is wrong what to do", () => {
    const troubled = judge("r", { ...ALL_WELL, links: "why", inodes: "why" }).filter(({ level }) => level !== "ok")
    expect(troubled.every(({ fix }) => fix?.includes("read-only"))).toBe(true)
  })
})

describe("probeCapabilities()", () => {
  test("finds no shortcoming where the tests run", () => {
    using tree = scratch()
    using root = Root.open(tree.path)
    expect(probeCapabilities(root)).toEqual(ALL_WELL)
  })

  test("gives the system's reason where nothing can be made", () => {
    using root = Root.open("/proc")
    const { links, inodes, directorySync } = probeCapabilities(root)
    expect([links, inodes, directorySync]).toEqual(["no such file or directory", "no such file or directory", "invalid argument"])
  })
})

describe("hasOpenat2()", () => {
  test("is true on this kernel", () => {
    expect(hasOpenat2()).toBe(true)
  })
})
