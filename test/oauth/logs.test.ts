import { expect, test } from "bun:test"
import type { Keep } from "../../src/audit/audit.ts"
import { oauthFixture, SECRET } from "./fixture-oauth.ts"
import { asked, call, connected, Operator, registered, tokenRequest } from "./operator.ts"

test("nothing secret is in any event, and no log level silences what became of a grant, whatever goes well or wrong", async () => {
  await using gateway = await oauthFixture()
  const operator = new Operator(gateway)
  const secrets: string[] = [SECRET, "a wrong secret", "the state"]

  const { clientId, redemption, accessToken, refreshToken } = await connected(gateway)
  secrets.push(redemption.code, redemption.code_verifier, accessToken, refreshToken)
  await call(gateway, accessToken)
  await call(gateway, accessToken, "/other")
  await call(gateway, refreshToken)
  const refreshed = await tokenRequest(gateway, { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken })
  const next = await tokenRequest(gateway, { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshed.body["refresh_token"] ?? "" })
  await tokenRequest(gateway, { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken })
  await tokenRequest(gateway, redemption)
  const page = await operator.open(asked(gateway, await registered(gateway)).url)
  await operator.unlock(page, "a wrong secret")
  const unlocked = await operator.unlock(page)
  await operator.send("/authorize/decision", unlocked, { decision: "deny" })
  secrets.push(...[refreshed, next].flatMap(({ body }) => [body["access_token"] ?? "", body["refresh_token"] ?? ""]), page.id ?? "", unlocked.id ?? "", page.cookie.split("=")[1] ?? "")

  const log = JSON.stringify(gateway.audit.events)
  const named = (isWanted: (keep: Keep) => boolean) => [...new Set(gateway.audit.events.filter(({ keep }) => isWanted(keep)).map(({ name }) => name))].sort()
  expect(named((keep) => keep !== "optional")).toEqual(["oauth_denied", "oauth_granted", "oauth_registered", "oauth_revoked", "tool_call"])
  expect(named((keep) => keep === "optional")).toEqual(["auth_failed", "oauth_secret_failed"])
  expect(new Set(secrets).size).toBe(secrets.length)
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8)
    expect(log).not.toContain(secret)
  }
})
