import { describe, expect, test } from "bun:test"
import { createAuthenticator } from "../../../src/http/auth/create-authenticator.ts"
import { openState, type State } from "../../../src/state/state.ts"
import { BINDING, TERMS } from "../../state/grant-terms.ts"
import { stateDirectory } from "../../state/state-directory.ts"

const directory = stateDirectory()
const resourceOf = (mount: string): string => `https://gate.example.net${mount}`

function accessToken(state: State, changes: Partial<typeof TERMS> = {}): string {
  const { code } = state.codes.issue({ ...TERMS, ...changes }, BINDING, Date.now())
  const pair = state.codes.redeem(code, { clientId: TERMS.clientId, resource: null, ...BINDING }, Date.now())
  if ("refused" in pair) throw new Error(pair.refused)
  return `Bearer ${pair.accessToken}`
}

describe("oauthToken", () => {
  test("gives the rights of the grant, at its mount and where there is none", () => {
    using state = openState(directory())
    const { verify } = createAuthenticator({ config: { token: null }, state, resourceOf })
    const token = accessToken(state)
    const name = `grant:Test-client#${state.grants.list(Date.now())[0]?.id}`
    const principal = { name, mounts: new Set(["/mcp"]), workdirs: new Set(["src"]), readOnly: true }
    expect(verify(token, "/mcp")).toEqual({ principal })
    expect(verify(token, null)).toEqual({ principal })
  })

  test("refuses a token at another mount, and at another public URL", () => {
    using state = openState(directory())
    const token = accessToken(state)
    expect(createAuthenticator({ config: { token: null }, state, resourceOf }).verify(token, "/files-mcp")).toEqual({ refused: "invalid" })
    const moved = createAuthenticator({ config: { token: null }, state, resourceOf: (mount) => `https://new.example.net${mount}` })
    expect([moved.verify(token, "/mcp"), moved.verify(token, null)]).toEqual([{ refused: "invalid" }, { refused: "invalid" }])
  })

  test("refuses every access token while OAuth is off", () => {
    using state = openState(directory())
    expect(createAuthenticator({ config: { token: null }, state }).verify(accessToken(state), "/mcp")).toEqual({ refused: "invalid" })
  })

  test("refuses codes, refresh tokens and what was revoked", () => {
    using state = openState(directory())
    const { verify } = createAuthenticator({ config: { token: null }, state, resourceOf })
    const { grant, code } = state.codes.issue(TERMS, BINDING, Date.now())
    const pair = state.codes.redeem(code, { clientId: TERMS.clientId, resource: null, ...BINDING }, Date.now())
    if ("refused" in pair) throw new Error(pair.refused)
    expect(verify(`Bearer ${pair.accessToken}`, "/mcp")).toHaveProperty("principal")
    for (const text of [code, pair.refreshToken]) expect(verify(`Bearer ${text}`, "/mcp")).toEqual({ refused: "invalid" })
    state.grants.revoke(grant.id)
    expect(verify(`Bearer ${pair.accessToken}`, "/mcp")).toEqual({ refused: "invalid" })
  })
})
