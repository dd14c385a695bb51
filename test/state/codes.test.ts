import { describe, expect, test } from "bun:test"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { openState } from "../../src/state/state.ts"
import { digestOf } from "../../src/state/token-text.ts"
import { BINDING, DAY, HOUR, MINUTE, TERMS } from "./grant-terms.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()
const CLAIM = { clientId: TERMS.clientId, resource: TERMS.resource, ...BINDING }

describe("Codes", () => {
  test("redeem() gives a pair of tokens that find the grant, and no file ever holds a text of them", () => {
    using state = openState(directory())
    const { grant, code } = state.codes.issue(TERMS, BINDING, 0)
    const pair = state.codes.redeem(code, CLAIM, 59_999)
    if ("refused" in pair) throw new Error(pair.refused)
    expect([code, pair.accessToken, pair.refreshToken].map((text) => text.slice(0, 4))).toEqual(["sfc_", "sfa_", "sfr_"])
    for (const text of [code, pair.accessToken, pair.refreshToken]) expect(text).toMatch(/^sf[car]_[A-Za-z0-9_-]{43}$/)
    expect(pair.expiresIn).toBe(3600)
    expect(state.grants.findByToken(digestOf(pair.accessToken), HOUR)?.grant).toEqual({ ...grant, lastUsed: 59_999 })
    const bytes = readdirSync(directory()).map((name) => readFileSync(join(directory(), name), "latin1")).join("")
    for (const text of [code, pair.accessToken, pair.refreshToken]) expect(bytes).not.toContain(text.slice(4))
  })

  test.each([
    ["another client", { clientId: "other" }],
    ["another redirect URI", { redirectUri: `${BINDING.redirectUri}/` }],
    ["another verifier", { challenge: "x".repeat(43) }],
  ])("redeem() refuses %s, and the rightful one still gets its tokens", (_what, wrong) => {
    using state = openState(directory())
    const { code } = state.codes.issue(TERMS, BINDING, 0)
    expect(state.codes.redeem(code, { ...CLAIM, ...wrong }, 1)).toEqual({ refused: "unknown" })
    expect(state.codes.redeem(code, CLAIM, 2)).toHaveProperty("accessToken")
  })

  test("redeem() refuses another resource, and takes none as the one that was granted", () => {
    using state = openState(directory())
    const { code } = state.codes.issue(TERMS, BINDING, 0)
    expect(state.codes.redeem(code, { ...CLAIM, resource: "https://gate.example.net/files-mcp" }, 1)).toEqual({ refused: "target" })
    expect(state.codes.redeem(code, { ...CLAIM, resource: null }, 1)).toHaveProperty("accessToken")
  })

  test("redeem() of a used code revokes the grant; a request that is wrong anyway does not", () => {
    using state = openState(directory())
    const { grant, code } = state.codes.issue(TERMS, BINDING, 0)
    const pair = state.codes.redeem(code, CLAIM, 1)
    if ("refused" in pair) throw new Error(pair.refused)
    expect(state.codes.redeem(code, { ...CLAIM, challenge: "x".repeat(43) }, 2)).toEqual({ refused: "unknown" })
    expect(state.grants.findByToken(digestOf(pair.accessToken), 2)).not.toBeNull()
    expect(state.codes.redeem(code, CLAIM, 10 * DAY)).toEqual({ refused: "reused", grantId: grant.id })
    expect(state.grants.findByToken(digestOf(pair.accessToken), 2)).toBeNull()
    expect(state.tokenPairs.refresh(pair.refreshToken, CLAIM, 3)).toEqual({ refused: "unknown" })
  })

  test("a code is good for a minute, and its grant is gone with it", () => {
    using state = openState(directory())
    const { code } = state.codes.issue(TERMS, BINDING, 0)
    expect(state.grants.list(MINUTE - 1)).toHaveLength(1)
    expect(state.codes.redeem(code, CLAIM, MINUTE)).toEqual({ refused: "unknown" })
    expect(state.grants.list(MINUTE)).toEqual([])
  })

  test("two that redeem at once get one pair", () => {
    using state = openState(directory())
    const { code } = state.codes.issue(TERMS, BINDING, 0)
    using other = openState(directory())
    const results = [state, other].map(({ codes }) => codes.redeem(code, CLAIM, 1))
    expect(results.map((each) => ("refused" in each ? each.refused : "pair"))).toEqual(["pair", "reused"])
  })
})
