import { describe, expect, test } from "bun:test"
import { run } from "../../../src/cli/commands/grants.ts"
import { openState } from "../../../src/state/state.ts"
import { digestOf } from "../../../src/state/token-text.ts"
import { BINDING, DAY, TERMS } from "../../state/grant-terms.ts"
import { stateDirectory } from "../../state/state-directory.ts"

const directory = stateDirectory()
const NOW = Date.parse("2026-11-30T12:00:00Z")

function grants(...argv: string[]) {
  const out = { stdout: "", stderr: "" }
  const into = (stream: "stdout" | "stderr") => ({ write: (text: string) => (out[stream] += text) })
  const status = run(argv, { stateDir: directory(), now: NOW, stdout: into("stdout"), stderr: into("stderr") })
  return { status, ...out }
}

describe("grants list", () => {
  test("shows who may do what, never a text or a digest", () => {
    using state = openState(directory())
    const claude = { ...TERMS, clientId: "https://claude.ai/oauth/mcp-oauth-client-metadata", clientName: "Claude", readOnly: false, workdirs: ["src", "docs"], expires: NOW + DAY }
    const one = state.codes.issue(claude, BINDING, NOW - 1)
    state.codes.redeem(one.code, { clientId: claude.clientId, resource: null, ...BINDING }, NOW)
    const two = state.codes.issue({ ...TERMS, clientName: "n\u001b[2K", mount: "/files-mcp", workdirs: [] }, BINDING, NOW)
    const { status, stdout } = grants("list")
    expect(status).toBe(0)
    expect(stdout).toBe([
      "ID          CLIENT      KNOWN BY             MOUNT       ACCESS      WORKDIRS  CREATED            EXPIRES            LAST USED",
      `${one.grant.id}  Claude      claude.ai            /mcp        read-write  src,docs  2026-11-30 11:59Z  2026-12-01 12:00Z  2026-11-30 12:00Z`,
      `${two.grant.id}  n\\u001b[2K  (registered itself)  /files-mcp  read-only   -         2026-11-30 12:00Z  never              never`,
      "",
    ].join("\n"))
  })

  test("says when there is none", () => {
    expect(grants("list")).toEqual({ status: 0, stdout: "", stderr: "Nothing is granted to any OAuth client.\n" })
  })
})

describe("grants revoke", () => {
  test("ends grants, beside a gateway that has the state open", () => {
    using state = openState(directory())
    const { grant, code } = state.codes.issue(TERMS, BINDING, NOW)
    const pair = state.codes.redeem(code, { clientId: TERMS.clientId, resource: null, ...BINDING }, NOW)
    if ("refused" in pair) throw new Error(pair.refused)
    expect(grants("revoke", grant.id)).toEqual({ status: 0, stdout: "", stderr: `Grant ${grant.id} is revoked: its next call is refused.\n` })
    expect(state.grants.findByToken(digestOf(pair.accessToken), NOW)).toBeNull()
  })

  test("says when there is no such grant, with status 1, and revokes the others", () => {
    using state = openState(directory())
    const { grant } = state.codes.issue(TERMS, BINDING, NOW)
    expect(grants("revoke", "n\u001b[2K", grant.id)).toMatchObject({ status: 1, stderr: expect.stringContaining("there is no grant 'n\\u001b[2K'\nGrant") })
    expect(state.grants.list(NOW)).toEqual([])
  })
})

describe("grants", () => {
  test.each([[[]], [["remove"]], [["list", "x"]], [["revoke"]]])("refuses %j with status 2", (argv) => {
    expect(grants(...argv)).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("Usage:") })
  })
})
