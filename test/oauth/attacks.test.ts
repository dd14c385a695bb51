/** The attacks that the authorization server is built against, each beside the plain use that it must not break. */
import { describe, expect, test } from "bun:test"
import { oauthFixture } from "./fixture-oauth.ts"
import { asked, authorized, call, connected, Operator, registered, tokenRequest } from "./operator.ts"
import { sharedFixture } from "./shared-fixture.ts"

const fetched: string[] = []
const gateway = sharedFixture({
  fetchDocument: async (url) => {
    fetched.push(url.href)
    return "{}"
  },
})
const operator = () => new Operator(gateway())
const grantCount = () => gateway().state.grants.list(Date.now()).length
const revocations = () => gateway().audit.events.filter(({ name }) => name === "oauth_revoked").map(({ fields }) => fields["reason"])
const firstPage = async () => operator().open(asked(gateway(), await registered(gateway())).url)

describe("replay", () => {
  test("a code used twice takes what it gave with it", async () => {
    const { redemption, accessToken } = await connected(gateway())
    expect(await call(gateway(), accessToken)).toBe(200)
    expect(await tokenRequest(gateway(), redemption)).toMatchObject({ status: 400, body: { error: "invalid_grant" } })
    expect(await call(gateway(), accessToken)).toBe(401)
    expect(revocations().at(-1)).toBe("authorization_code_reused")
  })

  test("a code redeemed by many at once is redeemed once, and revoked for that", async () => {
    const redemption = await authorized(gateway())
    const answers = await Promise.all(Array.from({ length: 8 }, () => tokenRequest(gateway(), redemption)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await call(gateway(), answers.find(({ status }) => status === 200)?.body["access_token"] ?? "")).toBe(401)
  })

  test("a refresh token used again after its successor takes the grant with it", async () => {
    const { clientId, refreshToken } = await connected(gateway())
    const refresh = (token: string) => tokenRequest(gateway(), { grant_type: "refresh_token", client_id: clientId, refresh_token: token })
    const two = await refresh(refreshToken)
    const three = await refresh(two.body["refresh_token"] ?? "")
    expect(three.status).toBe(200)
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: "invalid_grant" } })
    expect(await call(gateway(), three.body["access_token"] ?? "")).toBe(401)
    expect(await refresh(three.body["refresh_token"] ?? "")).toMatchObject({ status: 400, body: { error: "invalid_grant" } })
    expect(revocations().at(-1)).toBe("refresh_token_reused")
  })

  test("a consent form sent twice grants once", async () => {
    const page = await operator().unlock(await firstPage())
    const before = grantCount()
    const statuses = await Promise.all([operator().allow(page), operator().allow(page), operator().allow(page)])
    expect(statuses.map(({ status }) => status).sort()).toEqual([303, 400, 400])
    expect(grantCount()).toBe(before + 1)
  })
})

describe("PKCE downgrade", () => {
  test("a code is not had for a verifier in the place of its challenge, nor without one", async () => {
    const redemption = await authorized(gateway())
    const { searchParams } = new URL(asked(gateway(), redemption.client_id).url)
    const { code_verifier: _verifier, ...without } = redemption
    expect((await tokenRequest(gateway(), without)).body["error"]).toBe("invalid_request")
    expect((await tokenRequest(gateway(), { ...redemption, code_verifier: searchParams.get("code_challenge") ?? "" })).body["error"]).toBe("invalid_grant")
    expect((await tokenRequest(gateway(), { ...without, code_challenge_method: "plain", code_verifier: "x".repeat(43) })).body["error"]).toBe("invalid_grant")
    expect((await tokenRequest(gateway(), redemption)).status).toBe(200)
  })

  test("no request without S256 gets as far as a form", async () => {
    const clientId = await registered(gateway())
    for (const changes of [{ code_challenge_method: "plain" }, { code_challenge_method: "s256" }, { code_challenge_method: null }, { code_challenge: null }, { code_challenge: null, code_challenge_method: null }]) {
      expect(await operator().open(asked(gateway(), clientId, changes).url)).toMatchObject({ status: 400, id: null })
    }
  })
})

describe("redirect tricks", () => {
  test.each([
    "https://client.example.net/callback/../evil", "https://client.example.net/callbackevil", "https://client.example.net.evil.example/callback", "https://client.example.net@evil.example/callback",
    "https://evil.example/https://client.example.net/callback", "https://client.example.net:8443/callback", "http://client.example.net/callback", "https://client.example.net/callback#@evil.example",
    "https://client.example.net/callback?x=https://evil.example", "//client.example.net/callback", "https://client.example.net\\.evil.example/callback", "javascript://client.example.net/callback", "https://client.example.net/callback%00",
  ])("%s gets no form and no redirect", async (redirect_uri) => {
    const page = await operator().open(asked(gateway(), await registered(gateway()), { redirect_uri }).url)
    expect([page.status, page.id, page.headers.get("location")]).toEqual([400, null, null])
  })

  test("a code is bound to the redirect URI that it was sent to", async () => {
    const redemption = await authorized(gateway())
    expect((await tokenRequest(gateway(), { ...redemption, redirect_uri: "https://evil.example/" })).body["error"]).toBe("invalid_grant")
    expect((await tokenRequest(gateway(), redemption)).status).toBe(200)
  })

  test("an error before the secret is never sent on: a stranger could have registered the address", async () => {
    const clientId = await registered(gateway(), { redirect_uris: ["https://evil.example/phish"] })
    for (const changes of [{ response_type: "token" }, { code_challenge: null }, { resource: "https://elsewhere.example" }]) {
      const page = await operator().open(asked(gateway(), clientId, { redirect_uri: "https://evil.example/phish", ...changes }).url)
      expect([page.status, page.headers.get("location")]).toEqual([400, null])
    }
  })
})

describe("foreign audience", () => {
  test("a token for one mount is refused on the other", async () => {
    const { accessToken } = await connected(gateway())
    expect([await call(gateway(), accessToken, "/mcp"), await call(gateway(), accessToken, "/other")]).toEqual([200, 401])
    const second = await connected(gateway(), {}, { resource: `${gateway().url}/other` })
    expect([await call(gateway(), second.accessToken, "/mcp"), await call(gateway(), second.accessToken, "/other")]).toEqual([401, 200])
  })

  test("neither a code nor a refresh token can be turned in for another mount", async () => {
    const redemption = await authorized(gateway())
    expect((await tokenRequest(gateway(), { ...redemption, resource: `${gateway().url}/other` })).body["error"]).toBe("invalid_target")
    const { body } = await tokenRequest(gateway(), redemption)
    const refresh = { grant_type: "refresh_token", client_id: redemption.client_id, refresh_token: body["refresh_token"] ?? "" }
    expect((await tokenRequest(gateway(), { ...refresh, resource: `${gateway().url}/other` })).body["error"]).toBe("invalid_target")
    expect((await tokenRequest(gateway(), refresh)).status).toBe(200)
  })

  test("another client's code and refresh token are nobody's", async () => {
    const redemption = await authorized(gateway())
    const { clientId, refreshToken } = await connected(gateway())
    expect((await tokenRequest(gateway(), { ...redemption, client_id: clientId })).body["error"]).toBe("invalid_grant")
    expect((await tokenRequest(gateway(), { grant_type: "refresh_token", client_id: redemption.client_id, refresh_token: refreshToken })).body["error"]).toBe("invalid_grant")
  })

  test("a token is taken from the Authorization header alone, and only an access token", async () => {
    const { accessToken, refreshToken, redemption } = await connected(gateway())
    const { fetch, url } = gateway()
    const inUrl = await fetch(`${url}/mcp/read_note?access_token=${accessToken}`, { method: "POST", body: "{}" })
    expect(inUrl.status).toBe(401)
    expect([await call(gateway(), refreshToken), await call(gateway(), redemption.code)]).toEqual([401, 401])
  })

  test("rights end where the operator drew them", async () => {
    const { accessToken } = await connected(gateway(), { workdir: ["ro"], access: "read-write" })
    expect(await call(gateway(), accessToken)).toBe(404)
  })
})

describe("consent CSRF", () => {
  test("a form counts only in the browser that the request was made in", async () => {
    const attacker = await firstPage()
    const victim = await firstPage()
    expect((await operator().unlock({ ...attacker, cookie: victim.cookie })).text).toContain("no longer good")
    expect((await operator().unlock({ ...attacker, cookie: "" })).text).toContain("no longer good")
    const unlocked = await operator().unlock(victim)
    const before = grantCount()
    expect((await operator().allow({ ...unlocked, cookie: attacker.cookie })).headers.get("location")).toBeNull()
    expect((await operator().allow({ ...unlocked, id: "x" })).headers.get("location")).toBeNull()
    expect(grantCount()).toBe(before)
    expect((await operator().allow(unlocked)).status).toBe(303)
  })

  test("an unlocked request in one tab unlocks no other", async () => {
    const first = await firstPage()
    const other = await operator().open(asked(gateway(), await registered(gateway())).url, first.cookie)
    expect((await operator().unlock(first)).status).toBe(200)
    expect((await operator().allow(other)).text).toContain("no longer good")
  })

  test("the secret's page can't be skipped, nor its request be used again", async () => {
    const first = await firstPage()
    expect((await operator().allow(first)).text).toContain("no longer good")
    const unlocked = await operator().unlock(first)
    expect(unlocked.id).not.toBe(first.id)
    expect((await operator().unlock(first)).text).toContain("no longer good")
  })

  test.each([
    ["a foreign page", { origin: "https://evil.example" }, 403],
    ["a sandboxed frame", { origin: "null" }, 403],
    ["a page that may call tools, but not consent", { origin: "https://app.example.org" }, 400],
    ["a foreign page without Origin", { "sec-fetch-site": "cross-site", origin: "" }, 400],
    ["a neighbour's page", { "sec-fetch-site": "same-site" }, 400],
  ])("a form from %s is refused", async (_what, headers, status) => {
    const unlocked = await operator().unlock(await firstPage())
    const before = grantCount()
    const given: Record<string, string> = headers
    const { origin, ...rest } = given
    const answer = await operator().allow(unlocked, {}, origin === "" ? { ...rest, origin: gateway().url } : given)
    expect(answer.status).toBe(status)
    expect(grantCount()).toBe(before)
  })

  test("consent is asked for every time, also by a client that has it", async () => {
    const clientId = await registered(gateway())
    await operator().grant(asked(gateway(), clientId).url)
    const again = await operator().open(asked(gateway(), clientId, { prompt: "none" }).url)
    expect([again.status, again.headers.get("location")]).toEqual([200, null])
    expect(again.text).toContain("Operator secret")
  })
})

describe("clickjacking", () => {
  test("no page may be framed, errors and refusals included", async () => {
    const first = await firstPage()
    const pages = [first, await operator().unlock(first, "wrong"), await operator().unlock(first), await operator().unlock(first), await operator().open(`${gateway().url}/authorize`)]
    for (const { headers } of pages) {
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
      expect(headers.get("x-frame-options")).toBe("DENY")
    }
  })
})

describe("metadata documents", () => {
  test("nothing is fetched for a stranger", async () => {
    const page = await operator().open(asked(gateway(), "https://victim.example/delete?all=1").url)
    await operator().unlock(page, "wrong")
    await operator().send("/authorize/secret", page, { decision: "deny" })
    await operator().allow(page)
    await tokenRequest(gateway(), { grant_type: "refresh_token", client_id: "https://victim.example/delete?all=1", refresh_token: "sfr_x" })
    expect(fetched).toEqual([])
  })

  test("names that lead to private addresses are refused, by the system's own resolver", async () => {
    await using real = await oauthFixture({})
    const { fetchDocument } = await import("../../src/oauth/document/fetch-document.ts")
    await expect(fetchDocument(new URL("https://localhost/client.json"))).rejects.toThrow("not public")
    for (const clientId of ["https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x", "https://metadata/x", "https://10.0.0.1/x", "https://2852039166/x"]) {
      expect(await new Operator(real).open(asked(real, clientId).url)).toMatchObject({ status: 400, id: null })
    }
  })
})
