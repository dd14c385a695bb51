import { describe, expect, test } from "bun:test"
import { REDIRECT } from "./operator.ts"
import { sharedFixture } from "./shared-fixture.ts"

const gateway = sharedFixture()

async function register(body: unknown, headers: Record<string, string> = { "content-type": "application/json" }) {
  const { fetch, url } = gateway()
  const answer = await fetch(`${url}/register`, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

describe("/register", () => {
  test("makes a public client, whatever was asked for", async () => {
    const { status, headers, body } = await register({ redirect_uris: [REDIRECT, REDIRECT], client_name: "Cla\u202eude", token_endpoint_auth_method: "client_secret_post", scope: "mcp admin", logo_uri: "https://evil.example/x.png" })
    expect([status, headers.get("cache-control")]).toEqual([201, "no-store"])
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: "Cla ude",
      redirect_uris: [REDIRECT],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "mcp",
    })
    expect(gateway().audit.events.at(-1)).toMatchObject({ name: "oauth_registered", fields: { client_id: body["client_id"], name: "Cla ude" } })
  })

  test("takes what Cursor registers", async () => {
    const redirect_uris = ["cursor://anysphere.cursor-mcp/oauth/callback", "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"]
    expect(await register({ redirect_uris, client_name: "Cursor", grant_types: ["authorization_code", "refresh_token"], response_types: ["code"], token_endpoint_auth_method: "none" })).toMatchObject({ status: 201, body: { redirect_uris } })
  })

  test.each([
    [{}, "invalid_redirect_uri"],
    [{ redirect_uris: [] }, "invalid_redirect_uri"],
    [{ redirect_uris: "https://client.example.net/" }, "invalid_redirect_uri"],
    [{ redirect_uris: ["http://client.example.net/"] }, "invalid_redirect_uri"],
    [{ redirect_uris: [REDIRECT, "javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: Array.from({ length: 17 }, () => REDIRECT) }, "invalid_redirect_uri"],
    [{ redirect_uris: [REDIRECT], client_name: 1 }, "invalid_client_metadata"],
    [{ redirect_uris: [REDIRECT], grant_types: ["client_credentials"] }, "invalid_client_metadata"],
    [{ redirect_uris: [REDIRECT], response_types: ["token"] }, "invalid_client_metadata"],
    [[], "invalid_client_metadata"],
    ["{", "invalid_client_metadata"],
    ["", "invalid_client_metadata"],
    [{ redirect_uris: [REDIRECT], client_name: "x".repeat(40_000) }, "invalid_request"],
  ])("refuses %j with 400 %s", async (body, error) => {
    expect(await register(body)).toMatchObject({ status: 400, body: { error } })
  })

  test("is rate-limited by source: 10 at once, then 429 with Retry-After", async () => {
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await register({ redirect_uris: [REDIRECT] })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429])
    const limited = await register({ redirect_uris: [REDIRECT] })
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(60)
    gateway().edge.clientAddress = "198.51.99.1"
    expect((await register({ redirect_uris: [REDIRECT] })).status).toBe(201)
  })

  test("is rate-limited for all sources together", async () => {
    let status = 201
    for (let i = 0; i < 60 && status === 201; i++) {
      gateway().edge.clientAddress = `198.51.98.${i}`
      status = (await register({ redirect_uris: [REDIRECT] })).status
    }
    expect(status).toBe(429)
  })

  test("knows no other method", async () => {
    const { fetch, url } = gateway()
    const got = await fetch(`${url}/register`)
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"])
  })
})
