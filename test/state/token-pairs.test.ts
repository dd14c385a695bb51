import { describe, expect, test } from "bun:test"
import { Database } from "bun:sqlite"
import { join } from "node:path"
import { openState, type State } from "../../src/state/state.ts"
import { digestOf } from "../../src/state/token-text.ts"
import type { Refusal, TokenPair } from "../../src/state/token-pairs.ts"
import { BINDING, DAY, HOUR, TERMS } from "./grant-terms.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()
const CLAIM = { clientId: TERMS.clientId, resource: null }

function pair(result: TokenPair | Refusal): TokenPair {
  if ("refused" in result) throw new Error(result.refused)
  return result
}

/** A grant with its first pair, at time 0. */
function first(state: State, expires: number | null = null): TokenPair {
  const { code } = state.codes.issue({ ...TERMS, expires }, BINDING, 0)
  return pair(state.codes.redeem(code, { ...CLAIM, ...BINDING }, 0))
}

const works = (state: State, { accessToken }: TokenPair, now: number): boolean => state.grants.findByToken(digestOf(accessToken), now) !== null
const refused = (result: TokenPair | Refusal): string | null => ("refused" in result ? result.refused : null)

describe("TokenPairs", () => {
  test("an access token is good for an hour", () => {
    using state = openState(directory())
    const tokens = first(state)
    expect([works(state, tokens, HOUR - 1), works(state, tokens, HOUR)]).toEqual([true, false])
  })

  test("refresh() gives another pair, and leaves the access token before it until its own end", () => {
    using state = openState(directory())
    const one = first(state)
    const two = pair(state.tokenPairs.refresh(one.refreshToken, CLAIM, HOUR - 2))
    expect(new Set([one.accessToken, two.accessToken, one.refreshToken, two.refreshToken]).size).toBe(4)
    expect([works(state, one, HOUR - 1), works(state, two, HOUR - 1), works(state, two, HOUR)]).toEqual([true, true, true])
  })

  test("refresh() takes the same token again as long as no successor was used: answers get lost", () => {
    using state = openState(directory())
    const one = first(state)
    const lost = pair(state.tokenPairs.refresh(one.refreshToken, CLAIM, 1))
    const two = pair(state.tokenPairs.refresh(one.refreshToken, CLAIM, 2))
    expect(refused(state.tokenPairs.refresh(two.refreshToken, CLAIM, 3))).toBeNull()
    expect(works(state, lost, 4)).toBe(true)
  })

  test("refresh() with a token whose successor was used revokes the grant", () => {
    using state = openState(directory())
    const one = first(state)
    const two = pair(state.tokenPairs.refresh(one.refreshToken, CLAIM, 1))
    const three = pair(state.tokenPairs.refresh(two.refreshToken, CLAIM, 2))
    expect(refused(state.tokenPairs.refresh(one.refreshToken, CLAIM, 3))).toBe("reused")
    expect([one, two, three].map((tokens) => works(state, tokens, 4))).toEqual([false, false, false])
    expect(refused(state.tokenPairs.refresh(three.refreshToken, CLAIM, 5))).toBe("unknown")
  })

  test("refresh() by a thief and by the client: whoever comes second with a sibling ends it for both", () => {
    using state = openState(directory())
    const stolen = first(state)
    const thief = pair(state.tokenPairs.refresh(stolen.refreshToken, CLAIM, 1))
    const client = pair(state.tokenPairs.refresh(stolen.refreshToken, CLAIM, 2))
    pair(state.tokenPairs.refresh(client.refreshToken, CLAIM, 3))
    expect(refused(state.tokenPairs.refresh(thief.refreshToken, CLAIM, 4))).toBe("reused")
    expect(works(state, thief, 5)).toBe(false)
  })

  test("refresh() refuses another client and another resource without any harm", () => {
    using state = openState(directory())
    const one = first(state)
    expect(refused(state.tokenPairs.refresh(one.refreshToken, { ...CLAIM, clientId: "other" }, 1))).toBe("unknown")
    expect(refused(state.tokenPairs.refresh(one.refreshToken, { ...CLAIM, resource: "https://gate.example.net/files-mcp" }, 1))).toBe("target")
    expect(refused(state.tokenPairs.refresh(one.accessToken, CLAIM, 1))).toBe("unknown")
    expect(refused(state.tokenPairs.refresh(one.refreshToken, { ...CLAIM, resource: TERMS.resource }, 1))).toBeNull()
  })

  test("30 days without a refresh end a grant; each refresh begins them anew", () => {
    using state = openState(directory())
    const two = pair(state.tokenPairs.refresh(first(state).refreshToken, CLAIM, 30 * DAY - 1))
    expect(state.grants.list(60 * DAY - 2)).toHaveLength(1)
    expect(state.grants.list(60 * DAY - 1)).toEqual([])
    expect(refused(state.tokenPairs.refresh(two.refreshToken, CLAIM, 60 * DAY - 1))).toBe("unknown")
  })

  test("nothing outlives the grant's own end", () => {
    using state = openState(directory())
    const one = first(state, 1.5 * HOUR)
    const two = pair(state.tokenPairs.refresh(one.refreshToken, CLAIM, HOUR))
    expect(two.expiresIn).toBe(1800)
    expect([works(state, two, 1.5 * HOUR - 1), works(state, two, 1.5 * HOUR)]).toEqual([true, false])
    expect(refused(state.tokenPairs.refresh(two.refreshToken, CLAIM, 1.5 * HOUR))).toBe("unknown")
  })

  test("the state stays small whatever a client does", () => {
    using state = openState(directory())
    let tokens = first(state)
    for (let i = 1; i <= 50; i++) pair(state.tokenPairs.refresh(tokens.refreshToken, CLAIM, i))
    using db = new Database(join(directory(), "state.db"))
    const count = (table: string): unknown => db.query(`SELECT count(*) AS n FROM ${table}`).values().flat()[0]
    expect(count("refresh_tokens")).toBe(5)
    for (let i = 1; i <= 1000; i++) tokens = pair(state.tokenPairs.refresh(tokens.refreshToken, CLAIM, i * HOUR))
    expect([count("access_tokens"), Number(count("refresh_tokens")) <= 24 * 30 + 6]).toEqual([1, true])
  })

  test("giveUp() of a refresh token ends the grant, of an access token that token alone, of somebody else's nothing", () => {
    using state = openState(directory())
    const one = first(state)
    const grantId = state.grants.list(0)[0]?.id ?? ""
    expect(state.tokenPairs.giveUp(one.refreshToken, "other")).toBeNull()
    expect(state.tokenPairs.giveUp(one.accessToken, "other")).toBeNull()
    expect(works(state, one, 1)).toBe(true)
    expect(state.tokenPairs.giveUp(one.accessToken, CLAIM.clientId)).toBeNull()
    expect(works(state, one, 1)).toBe(false)
    const two = pair(state.tokenPairs.refresh(one.refreshToken, CLAIM, 2))
    expect(state.tokenPairs.giveUp(one.refreshToken, CLAIM.clientId)).toBe(grantId)
    expect(works(state, two, 3)).toBe(false)
    expect(state.tokenPairs.giveUp("sfr_nothing", CLAIM.clientId)).toBeNull()
  })
})
