import { describe, expect, test } from "bun:test"
import type { Authenticator } from "../../src/http/auth/authenticator.ts"
import { authenticator, fixtureApp } from "../helpers/fixture-app.ts"

const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
const post = (headers: Record<string, string> = {}, body = PING) => ({ method: "POST", body, headers: { "content-type": "application/json", ...headers } })

describe("createApp(): credentials", () => {
  test("none is 401 with a Bearer challenge, and no event", async () => {
    const { request, audit } = fixtureApp()
    const answer = await request("/mcp", post({ authorization: "" }))
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer error="missing"'])
    expect(await answer.json()).toEqual({ code: "unauthorized", detail: expect.any(String) })
    expect(audit.events).toEqual([])
  })

  test("a wrong one is 401, and leaves auth_failed with the client's address and without its text", async () => {
    const { app, audit } = fixtureApp()
    const request = new Request("http://localhost/mcp", { ...post(), headers: { host: "localhost", authorization: "Bearer canary-credential" } })
    const answer = await app.fetch(request, { clientAddress: () => "192.0.2.7" })
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer error="invalid"'])
    expect(audit.events).toMatchObject([{ name: "auth_failed", fields: { mount: "/mcp", client: "192.0.2.7" } }])
    expect(JSON.stringify(audit.events)).not.toContain("canary")
  })

  test("one in the query string is none", async () => {
    const { request } = fixtureApp()
    const answer = await request("/mcp?token=full&access_token=full&authorization=Bearer%20full", post({ authorization: "" }))
    expect(answer.status).toBe(401)
  })

  test("one that lacks the mount is 403 insufficient_scope there, and good elsewhere", async () => {
    const { request } = fixtureApp()
    const answer = await request("/mcp", post({ authorization: "Bearer elsewhere" }))
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([403, 'Bearer error="insufficient_scope"'])
    expect((await request("/other", post({ authorization: "Bearer elsewhere" }))).status).toBe(200)
  })

  test("is asked for once a request, for the mount, before the body is read", async () => {
    const asked: (string | null)[] = []
    const counting: Authenticator = {
      verify: (header, audience) => {
        asked.push(audience)
        return authenticator.verify(header, audience)
      },
    }
    const { request } = fixtureApp({ authenticator: counting })
    await request("/mcp", post())
    await request("/other/do_nothing", post({}, "{}"))
    expect(asked).toEqual(["/mcp", "/other"])
    const refused = await request("/mcp", { ...post({ authorization: "" }), body: new ReadableStream({ pull: () => new Promise(() => {}) }) })
    expect(refused.status).toBe(401)
  })
})

describe("createApp(): addresses", () => {
  test.each([
    "/",
    "/none",
    "/files-mcp",
    "/register",
    "/authorize",
    "/token",
    "/favicon.ico",
    "/mcpx",
    "/mcp/no_such_tool",
    "/mcp/a/b",
    "/mcp/.well-known/openid-configuration",
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
    "/.well-known/openid-configuration",
  ])("%s is a JSON 404 for everybody, with any method", async (path) => {
    const { request } = fixtureApp()
    for (const method of ["GET", "POST"]) {
      const answer = await request(path, { method, headers: { authorization: "" } })
      expect([answer.status, await answer.json()]).toEqual([404, { code: "not_found", detail: expect.any(String) }])
    }
  })

  test("a trailing slash is tolerated on mounts and below them", async () => {
    const { request } = fixtureApp()
    expect((await request("/mcp/", post())).status).toBe(200)
    expect((await request("/other/do_nothing/", post({}, "{}"))).status).toBe(200)
    expect((await request("/healthz/")).status).toBe(200)
  })

  test.each(["GET", "DELETE", "PUT", "PATCH"])("%s on a mount is 405 with Allow, behind the credential", async (method) => {
    const { request } = fixtureApp()
    const answer = await request("/mcp", { method })
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
    expect((await request("/mcp", { method, headers: { authorization: "" } })).status).toBe(401)
  })

  test("HEAD answers like GET without a body; OPTIONS says what is allowed, to everybody", async () => {
    const { request } = fixtureApp()
    for (const [path, status] of [["/mcp", 405], ["/healthz", 200], ["/none", 404]] as const) {
      const answer = await request(path, { method: "HEAD" })
      expect([answer.status, await answer.text()]).toEqual([status, ""])
    }
    const options = await request("/mcp", { method: "OPTIONS", headers: { authorization: "" } })
    expect([options.status, options.headers.get("allow")]).toEqual([204, "POST, OPTIONS"])
  })

  test("what breaks inside is a JSON 500 without detail, and logged", async () => {
    const broken: Authenticator = {
      verify: () => {
        throw new Error("a secret of the inside")
      },
    }
    const { request, audit } = fixtureApp({ authenticator: broken })
    const answer = await request("/mcp", post())
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain("secret")
    expect(audit.events).toMatchObject([{ name: "internal_error", fields: { detail: expect.stringContaining("a secret of the inside") } }])
  })
})

describe("createHealth()", () => {
  test.each(["/healthz", "/health", "/readyz"])("%s is 200 for everybody and names nothing", async (path) => {
    for (const authorization of ["", "Bearer wrong"]) {
      const answer = await fixtureApp().request(path, { headers: { authorization } })
      expect(answer.status).toBe(200)
      expect(Object.keys((await answer.json()) as object)).toEqual(["status"])
    }
  })

  test.each(["/healthz", "/health", "/readyz"])("another method on %s is 405 with Allow, for everybody", async (path) => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await fixtureApp().request(path, { method, headers: { authorization: "" } })
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    }
  })

  test("/readyz with a credential lists what its holder may see", async () => {
    const { request } = fixtureApp()
    const services = async (token: string) => ((await (await request("/readyz", { headers: { authorization: `Bearer ${token}` } })).json()) as { services: object }).services
    expect(await services("full")).toEqual({ notes: { main: "ok", ro: "ok" }, other: { main: "ok", ro: "ok" } })
    expect(await services("narrow")).toEqual({ notes: { ro: "ok" }, other: { ro: "ok" } })
    expect(await services("elsewhere")).toEqual({ other: { main: "ok", ro: "ok" } })
  })
})
