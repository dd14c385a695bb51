import { describe, expect, test } from "bun:test"
import { openState } from "../../src/state/state.ts"
import { digestOf } from "../../src/state/token-text.ts"
import { BINDING, TERMS } from "./grant-terms.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()

describe("Grants", () => {
  test("list() gives the terms as they were agreed, oldest first", () => {
    using state = openState(directory())
    const two = state.codes.issue({ ...TERMS, workdirs: ["src", "docs"], readOnly: false, expires: 1000 }, BINDING, 2).grant
    const one = state.codes.issue(TERMS, BINDING, 1).grant
    expect(state.grants.list(3)).toEqual([
      { ...TERMS, id: one.id, name: `grant:Test-client#${one.id}`, created: 1, lastUsed: null },
      { ...TERMS, workdirs: ["src", "docs"], readOnly: false, expires: 1000, id: two.id, name: `grant:Test-client#${two.id}`, created: 2, lastUsed: null },
    ])
  })

  test.each([
    ["https://claude.ai/oauth/mcp-oauth-client-metadata", "Claude", "grant:claude.ai#"],
    ["id", "static", "grant:static#"],
    ["id", "a\u202eb #1\n{}", "grant:a-b-1-#"],
    ["id", "x".repeat(60), `grant:${"x".repeat(40)}#`],
  ])("the holder's name of %s %j", (clientId, clientName, name) => {
    using state = openState(directory())
    const { grant } = state.codes.issue({ ...TERMS, clientId, clientName }, BINDING, 0)
    expect(grant.name).toBe(name + grant.id)
  })

  test("revoke() counts at once in every process that has the state open", () => {
    using gateway = openState(directory())
    using command = openState(directory())
    const { grant, code } = gateway.codes.issue(TERMS, BINDING, 0)
    const pair = gateway.codes.redeem(code, { clientId: TERMS.clientId, resource: null, ...BINDING }, 0)
    if ("refused" in pair) throw new Error(pair.refused)
    expect(gateway.grants.findByToken(digestOf(pair.accessToken), 1)).not.toBeNull()
    expect(command.grants.revoke(grant.id)).toBe(true)
    expect(gateway.grants.findByToken(digestOf(pair.accessToken), 1)).toBeNull()
    expect([command.grants.revoke(grant.id), command.grants.revoke("nothing")]).toEqual([false, false])
  })
})
