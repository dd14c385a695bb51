import { describe, expect, test } from "bun:test"
import { authorized, call, connected, REDIRECT, tokenRequest } from "./operator.ts"
import { sharedFixture } from "./shared-fixture.ts"

const gateway = sharedFixture()
const token = (parameters: Record<string, string>, path?: string) => tokenRequest(gateway(), parameters, path)

describe("/token", () => {
  test("turns a refresh token in for another pair", async () => {
    const { clientId, refreshToken, accessToken } = await connected(gateway())
    expect(await call(gateway(), accessToken)).toBe(200)
    const { status, headers, body } = await token({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId, resource: `${gateway().url}/mcp` })
    expect([status, headers.get("cache-control"), headers.get("pragma")]).toEqual([200, "no-store", "no-cache"])
    expect(body).toEqual({ access_token: expect.stringMatching(/^sfa_.{43}$/), token_type: "Bearer", expires_in: 3600 as never, refresh_token: expect.stringMatching(/^sfr_.{43}$/), scope: "mcp" })
    expect(await call(gateway(), body["access_token"] ?? "")).toBe(200)
  })

  test.each([
    ["no grant type", { grant_type: "" }, 400, "invalid_request"],
    ["another grant type", { grant_type: "client_credentials" }, 400, "unsupported_grant_type"],
    ["no client", { client_id: "" }, 401, "invalid_client"],
    ["an unknown client", { client_id: "nobody" }, 401, "invalid_client"],
    ["no code", { code: "" }, 400, "invalid_request"],
    ["a code that there is not", { code: "sfc_x" }, 400, "invalid_grant"],
    ["no verifier", { code_verifier: "" }, 400, "invalid_request"],
    ["a verifier that is too short", { code_verifier: "x".repeat(42) }, 400, "invalid_request"],
    ["another verifier", { code_verifier: "x".repeat(43) }, 400, "invalid_grant"],
    ["no redirect URI", { redirect_uri: "" }, 400, "invalid_request"],
    ["another redirect URI", { redirect_uri: `${REDIRECT}/` }, 400, "invalid_grant"],
    ["another resource", { resource: "https://elsewhere.example/mcp" }, 400, "invalid_target"],
    ["no refresh token", { grant_type: "refresh_token" }, 400, "invalid_request"],
    ["a refresh token that there is not", { grant_type: "refresh_token", refresh_token: "sfr_x" }, 400, "invalid_grant"],
  ] as const)("refuses %s, without any harm to the code", async (_what, changes, status, error) => {
    const redemption = await authorized(gateway())
    expect(await token({ ...redemption, ...changes })).toMatchObject({ status, body: { error } })
    expect((await token(redemption)).status).toBe(200)
  })

  test("refuses what is no form, too large, or says a thing twice", async () => {
    const { fetch, url } = gateway()
    const post = async (body: string, type = "application/x-www-form-urlencoded") => {
      const answer = await fetch(`${url}/token`, { method: "POST", body, headers: { "content-type": type } })
      return [answer.status, ((await answer.json()) as { error: string }).error]
    }
    expect(await post("{}", "application/json")).toEqual([400, "invalid_request"])
    expect(await post("grant_type=refresh_token&grant_type=refresh_token")).toEqual([400, "invalid_request"])
    expect(await post(`grant_type=${"x".repeat(40_000)}`)).toEqual([400, "invalid_request"])
    const got = await fetch(`${url}/token?grant_type=refresh_token`)
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"])
  })

  test.each(["/token", "/revoke"])("an unknown client that tries HTTP Basic at %s gets that challenge, and no other does", async (path) => {
    const challengeOf = async (authorization: string) => {
      const body = new URLSearchParams({ grant_type: "refresh_token", client_id: "nobody" })
      const answer = await gateway().fetch(gateway().url + path, { method: "POST", body, headers: { authorization } })
      return [answer.status, answer.headers.get("www-authenticate")]
    }
    expect(await challengeOf(`Basic ${btoa("nobody:secret")}`)).toEqual([401, 'Basic realm="serverfs"'])
    expect(await challengeOf("Bearer sfa_x")).toEqual([401, null])
  })

  test("is rate-limited by source, which never touches a token that is good", async () => {
    const { accessToken } = await connected(gateway())
    let last = 0
    for (let i = 0; i < 65; i++) last = (await token({ grant_type: "refresh_token", client_id: "nobody" })).status
    expect(last).toBe(429)
    expect(await call(gateway(), accessToken)).toBe(200)
  })
})

describe("/revoke", () => {
  test("of a refresh token ends everything of its grant", async () => {
    const { clientId, accessToken, refreshToken } = await connected(gateway())
    expect((await token({ token: refreshToken, client_id: clientId, token_type_hint: "refresh_token" }, "/revoke")).status).toBe(200)
    expect(gateway().audit.events.at(-1)).toMatchObject({ name: "oauth_revoked", fields: { reason: "given_up" } })
    expect(await call(gateway(), accessToken)).toBe(401)
    expect(await token({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId })).toMatchObject({ status: 400, body: { error: "invalid_grant" } })
  })

  test("of an access token ends that token", async () => {
    const { clientId, accessToken, refreshToken } = await connected(gateway())
    await token({ token: accessToken, client_id: clientId }, "/revoke")
    expect(await call(gateway(), accessToken)).toBe(401)
    expect((await token({ grant_type: "refresh_token", refresh_token: refreshToken, client_id: clientId })).status).toBe(200)
  })

  test("says 200 to what nobody knows, and leaves another client's alone", async () => {
    const { accessToken, refreshToken } = await connected(gateway())
    const { clientId: other } = await connected(gateway())
    for (const each of [accessToken, refreshToken, "sfr_x"]) expect((await token({ token: each, client_id: other }, "/revoke")).status).toBe(200)
    expect(await call(gateway(), accessToken)).toBe(200)
  })

  test("refuses an unknown client, and no token", async () => {
    const { clientId } = await connected(gateway())
    expect(await token({ token: "x", client_id: "nobody" }, "/revoke")).toMatchObject({ status: 401, body: { error: "invalid_client" } })
    expect(await token({ client_id: clientId }, "/revoke")).toMatchObject({ status: 400, body: { error: "invalid_request" } })
  })
})
