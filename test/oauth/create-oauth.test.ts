import { describe, expect, test } from "bun:test"
import { createOauth } from "../../src/oauth/create-oauth.ts"
import { openState } from "../../src/state/state.ts"
import { AuditLog } from "../helpers/audit-log.ts"
import { stateDirectory } from "../state/state-directory.ts"
import { notes, other, SECRET } from "./fixture-oauth.ts"
import { sharedFixture } from "./shared-fixture.ts"

const directory = stateDirectory()
const gateway = sharedFixture()

describe("createOauth", () => {
  const ON = { publicUrl: "https://gate.example.net", oauth: "auto", workdirs: [] } as const

  test.each([
    ["is on with a public https URL and an operator secret", ON, true, true, 0],
    ["is off without an operator secret", ON, false, false, 0],
    ["is off when the configuration says so", { ...ON, oauth: "off" }, true, false, 0],
    ["is off without a public URL", { ...ON, publicUrl: null }, true, false, 0],
    ["is off, and says why, on http", { ...ON, publicUrl: "http://gate.example.net" }, true, false, 1],
    ["is off, and says why, below a path", { ...ON, publicUrl: "https://example.net/gate" }, true, false, 1],
  ] as const)("%s", async (_what, config, secret, on, events) => {
    using state = openState(directory())
    if (secret) await state.operatorSecret.set(SECRET, 0)
    const audit = new AuditLog()
    expect(createOauth({ config, state, audit, services: [notes()] }) !== null).toBe(on)
    expect(audit.events.map(({ name }) => name)).toEqual(Array.from({ length: events }, () => "oauth_off"))
  })

  test("tells a refusal at a mount where its metadata is, and nothing where no grant opens anything", async () => {
    using state = openState(directory())
    await state.operatorSecret.set(SECRET, 0)
    const oauth = createOauth({ config: ON, state, audit: new AuditLog(), services: [notes(), other()] })
    expect(oauth?.challengeResource("/other")).toEqual({ metadataUrl: "https://gate.example.net/.well-known/oauth-protected-resource/other", scope: "mcp" })
    expect(oauth?.challengeResource("/metrics")).toBeNull()
    expect(oauth?.resourceOf("/other")).toBe("https://gate.example.net/other")
  })
})

describe("metadata", () => {
  const json = async (path: string) => {
    const answer = await gateway().fetch(gateway().url + path)
    return { status: answer.status, type: answer.headers.get("content-type"), body: await answer.json() }
  }

  test.each([
    ["/.well-known/oauth-protected-resource", "/mcp", "Notes"],
    ["/.well-known/oauth-protected-resource/mcp", "/mcp", "Notes"],
    ["/.well-known/oauth-protected-resource/other", "/other", "Other notes"],
  ])("%s describes %s", async (path, mount, title) => {
    const { url } = gateway()
    expect(await json(path)).toMatchObject({
      status: 200,
      type: expect.stringContaining("application/json"),
      body: { resource: url + mount, resource_name: title, authorization_servers: [url], scopes_supported: ["mcp"], bearer_methods_supported: ["header"] },
    })
  })

  test("the server's describes itself, by absolute URLs under its own issuer", async () => {
    const { url } = gateway()
    expect((await json("/.well-known/oauth-authorization-server")).body).toEqual({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      revocation_endpoint: `${url}/revoke`,
      scopes_supported: ["mcp", "offline_access"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  })

  test.each(["/.well-known/openid-configuration", "/mcp/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/mcp", "/.well-known/oauth-protected-resource/nothing"])("%s is a plain JSON 404", async (path) => {
    expect(await json(path)).toMatchObject({ status: 404, type: expect.stringContaining("application/json") })
  })

  test.each([
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/other",
    "/.well-known/oauth-authorization-server",
    "/authorize",
  ])("another method on %s is 405 with Allow", async (path) => {
    for (const method of ["POST", "PUT"]) {
      const answer = await gateway().fetch(gateway().url + path, { method })
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    }
  })

  test("a mount without a token answers 401 and says where to go, with a bad one that it is bad", async () => {
    const { fetch, url } = gateway()
    const missing = await fetch(`${url}/other`, { method: "POST", body: "{}" })
    expect([missing.status, missing.headers.get("www-authenticate")]).toEqual([401, `Bearer realm="serverfs", resource_metadata="${url}/.well-known/oauth-protected-resource/other", scope="mcp"`])
    const bad = await fetch(`${url}/mcp`, { method: "POST", body: "{}", headers: { authorization: "Bearer sfa_x" } })
    expect(bad.headers.get("www-authenticate")).toContain('error="invalid_token", resource_metadata="')
  })
})
