import { describe, expect, test } from "bun:test"
import type { Fault } from "../../../src/config/fault.ts"
import { KNOWN_NAMES, unknownNames } from "../../../src/config/variables/names.ts"
import { editDistance, nearest } from "../../../src/config/variables/nearest.ts"

describe("editDistance()", () => {
  test.each([["", "", 0], ["abc", "abc", 0], ["abc", "", 3], ["", "ab", 2], ["abc", "abd", 1], ["abc", "ac", 1], ["abc", "xabc", 1], ["ab", "ba", 2], ["kitten", "sitting", 3]])(
    "%j to %j is %i",
    (a, b, edits) => {
      expect([editDistance(a, b), editDistance(b, a)]).toEqual([edits, edits])
    },
  )
})

describe("nearest()", () => {
  test("gives the closest word, the first of equals, nothing of nothing", () => {
    expect(nearest("prot", ["host", "port", "post"])).toEqual({ word: "port", edits: 2 })
    expect(nearest("prot", [])).toBeUndefined()
  })
})

function judged(name: string, text = "x") {
  const faults: Fault[] = []
  const warnings = unknownNames({ [name]: text }, faults)
  return { faults: faults.map(({ variable, message }) => `${variable}: ${message}`), warnings }
}

describe("unknownNames()", () => {
  test.each([
    ["SERVERFS_MAX_READ_BYTE", "SERVERFS_MAX_READ_BYTES"],
    ["SERVERFS_ALLOW_HIDEN", "SERVERFS_ALLOW_HIDDEN"],
    ["SERVERFS_ALLOW_HIDDNE", "SERVERFS_ALLOW_HIDDEN"],
    ["SERVERFS_CONFINED", "SERVERFS_CONFINE"],
    ["FILES_MCP_ROOTS", "FILES_MCP_ROOT"],
    ["FILES_MCP_READONLY", "FILES_MCP_READ_ONLY"],
    ["WORKDIR_01_READONLY", "WORKDIR_01_READ_ONLY"],
    ["WORKDIR_1_ALIAS", "WORKDIR_01_ALIAS"],
    ["WORKDIR_01_ENTIRELY_UNHEARD_OF", "WORKDIR_01_"],
    ["WORKDIR_17_ALIAS", "01 to 16"],
    ["WORKDIR_00_ALIAS", "01 to 16"],
    ["WORKDIR_001_ALIAS", "01 to 16"],
  ])("%s is a fault that names %s", (name, near) => {
    const { faults, warnings } = judged(name)
    expect(warnings).toEqual([])
    expect(faults).toHaveLength(1)
    expect(faults[0]).toStartWith(`${name}: `)
    expect(faults[0]).toContain(near)
  })

  test.each([["WORKDIR_1_ALIAS", "WORKDIR_01_ALIAS"], ["WORKDIR_011_PATH", "WORKDIR_11_PATH"]])("%s: did you mean %s", (name, near) => {
    expect(judged(name).faults).toEqual([`${name}: there is no such variable; slots are numbered 01 to 16; did you mean ${near}? Rename it or remove it`])
  })

  test.each(["WORKDIR_17_ALIAS", "WORKDIR_00_ALIAS", "WORKDIR_0_PATH", "WORKDIR_100_ALIAS", "WORKDIR_99999999999999999999_X"])("%s is of no slot: no other slot is suggested", (name) => {
    expect(judged(name).faults).toEqual([`${name}: there is no such variable; slots are numbered 01 to 16. Rename it or remove it`])
  })

  test.each(["SERVERFS_SOMETHING_ELSE_ENTIRELY", "SERVERFS_STATE", "FILES_MCP_TOKEN_FILE", "SERVERFS_"])("%s is a warning", (name) => {
    expect(judged(name)).toEqual({ faults: [], warnings: [{ event: "config_unknown", variable: name }] })
  })

  test.each([
    ["SERVERFS_SERVICE_HOST", "10.0.0.1"], ["SERVERFS_SERVICE_PORT", "80"], ["SERVERFS_SERVICE_PORT_HTTP", "80"], ["WORKDIR_01_SERVICE_HOST", "10.0.0.1"],
    ["SERVERFS_PORT_8000_TCP", "tcp://10.0.0.1:8000"], ["SERVERFS_PORT_8000_TCP_ADDR", "10.0.0.1"],
    ["FILES_MCP_PORT", "tcp://10.0.0.1:80"], ["SERVERFS_WEB_PORT", "udp://10.0.0.1:80"],
    ["SERVERFS_IMAGE", "x"], ["SERVERFS_UID", "x"], ["SERVERFS_GID", "x"],
    ["PATH", "x"], ["SERVER_HOST", "x"], ["SERVERF_PORT", "x"], ["WORKDIR", "x"], ["WORKDIR_XX_ALIAS", "x"], ["serverfs_port", "x"], ["MY_SERVERFS_PORT", "x"],
  ])("%s is nothing of ours", (name, text) => {
    expect(judged(name, text)).toEqual({ faults: [], warnings: [] })
  })

  test("FILES_MCP_PORT with any other value is a misspelt name", () => {
    expect(judged("FILES_MCP_PORT", "8001").faults).toHaveLength(1)
  })

  test("every known name passes, and a value is never shown", () => {
    for (const name of KNOWN_NAMES) expect(judged(name)).toEqual({ faults: [], warnings: [] })
    expect(judged("SERVERFS_TOKENS", "the-secret").faults.join()).not.toContain("the-secret")
  })
})
