import { afterAll, beforeAll, beforeEach } from "bun:test"
import { type OauthFixture, type OauthFixtureOptions, oauthFixture } from "./fixture-oauth.ts"

/** One gateway for a file, each of whose tests comes from an address of its own. */
export function sharedFixture(options: OauthFixtureOptions = {}): () => OauthFixture {
  let fixture: OauthFixture | null = null
  let address = 0
  beforeAll(async () => {
    fixture = await oauthFixture(options)
  })
  beforeEach(() => {
    address++
    if (fixture !== null) fixture.edge.clientAddress = `198.51.${100 + (address >> 8)}.${address & 255}`
  })
  afterAll(() => fixture?.[Symbol.asyncDispose]())
  return () => {
    if (fixture === null) throw new Error("the fixture is not there yet")
    return fixture
  }
}
