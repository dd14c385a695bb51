import { describe, expect, test } from "bun:test"
import { hostName } from "../../src/http/guard.ts"
import { fixtureApp } from "../helpers/fixture-app.ts"

const APP = "https://app.example.org"

describe("hostName()", () => {
  test.each([
    ["localhost", "localhost"],
    ["LocalHost:8000", "localhost"],
    ["127.0.0.1:1", "127.0.0.1"],
    ["[::1]", "[::1]"],
    ["[::1]:8000", "[::1]"],
    ["localhost:", "localhost"],
    ["localhost:65535", "localhost"],
    ["localhost:00080", "localhost"],
    ["localhost:65536", null],
    ["[::1]:99999", null],
    ["localhost:80, evil.example", null],
    ["localhost:80@evil.example", null],
    ["localhost/evil.example", null],
    ["localhost:8a", null],
    ["evil.example localhost", null],
    ["[::1", null],
    ["", null],
  ])("%p is %p", (host, name) => {
    expect(hostName(host)).toBe(name)
  })
})

describe("createGuard()", () => {
  test("says which setting names further hosts and origins, and leaves request_refused in the log", async () => {
    const { request, audit } = fixtureApp()
    const host = await request("/mcp", { headers: { host: "app.example.org", origin: APP } })
    expect(await host.text()).toContain("SERVERFS_ALLOWED_HOSTS")
    const origin = await request("/mcp", { headers: { host: "localhost", origin: "https://evil.example" } })
    expect(await origin.text()).toContain("SERVERFS_ALLOWED_ORIGINS")
    expect(audit.events.map(({ name, fields }) => [name, fields])).toEqual([["request_refused", { reason: "host" }], ["request_refused", { reason: "origin" }]])
  })

  test.each(["localhost", "LOCALHOST:1", "127.0.0.1:8000", "[::1]:8000", "gate.example.net", "files.example.org:443"])("accepts Host %p", async (host) => {
    const { request } = fixtureApp({ config: { allowedHosts: ["files.example.org"] } })
    expect((await request("/healthz", { headers: { host } })).status).toBe(200)
  })

  test.each([["192.0.2.7", "192.0.2.7:8000"], ["::ffff:192.0.2.7", "[::ffff:192.0.2.7]"], ["gate.lan", "gate.lan"]])("accepts the address %p that it listens on", async (host, header) => {
    const { request } = fixtureApp({ config: { host } })
    expect((await request("/healthz", { headers: { host: header } })).status).toBe(200)
    expect((await request("/healthz", { headers: { host: "192.0.2.8" } })).status).toBe(421)
  })

  test("no name follows from listening on every interface", async () => {
    for (const host of ["0.0.0.0", "::"]) {
      const { request } = fixtureApp({ config: { host } })
      for (const header of ["0.0.0.0", "[::]"]) expect((await request("/healthz", { headers: { host: header } })).status).toBe(421)
    }
  })

  test.each(["evil.example", "127.0.0.1.evil.example:8000", "localhost:80, evil.example", "localhost.", "127.0.0.1:65536", "localhost:99999", "0.0.0.0", "gate.example.net.evil.example"])(
    "refuses Host %p with 421, with and without a credential, on every path",
    async (host) => {
      const { request } = fixtureApp()
      for (const path of ["/mcp", "/healthz", "/none"]) {
        expect((await request(path, { headers: { host } })).status).toBe(421)
        expect((await request(path, { headers: { host, authorization: "" } })).status).toBe(421)
      }
    },
  )

  test("refuses a missing Host with 421", async () => {
    expect((await fixtureApp().request("/healthz", { headers: { host: "" } })).status).toBe(421)
  })

  test.each(["https://evil.example", "http://evil.example:8000", "null", "https://app.example.org.evil.example", "http://app.example.org", "http://localhost:9999"])(
    "refuses Origin %p with 403 and no CORS headers, preflights too",
    async (origin) => {
      const { request } = fixtureApp()
      for (const method of ["GET", "OPTIONS"]) {
        const answer = await request("/healthz", { method, headers: { host: "localhost:8000", origin, "access-control-request-method": "POST" } })
        expect(answer.status).toBe(403)
        expect(answer.headers.get("access-control-allow-origin")).toBeNull()
      }
    },
  )

  test.each([APP, "https://gate.example.net", "http://localhost:8000"])("accepts Origin %p and says so", async (origin) => {
    const answer = await fixtureApp().request("/healthz", { headers: { host: "localhost:8000", origin } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin)
    expect(answer.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate")
    expect(answer.headers.get("vary")).toContain("Origin")
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull()
  })

  test("a 401 can be read by an allowed page", async () => {
    const answer = await fixtureApp().request("/mcp", { method: "POST", headers: { origin: APP, authorization: "" } })
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([401, APP])
  })

  test("answers the preflight of an allowed Origin before credentials, with every header a client of either era sends", async () => {
    const asked = "authorization, mcp-method, mcp-name, mcp-param-tenant, x-evil, mcp-protocol-version"
    const answer = await fixtureApp().request("/mcp", {
      method: "OPTIONS",
      headers: { origin: APP, authorization: "", "access-control-request-method": "POST", "access-control-request-headers": asked },
    })
    const allowed = (answer.headers.get("access-control-allow-headers") ?? "").split(", ")
    expect(answer.status).toBe(204)
    expect(allowed).toEqual(expect.arrayContaining(["authorization", "content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "mcp-param-tenant"]))
    expect(allowed).not.toContain("x-evil")
    expect(answer.headers.get("access-control-allow-methods")).toContain("POST")
  })

  test("every answer says no-store and nosniff", async () => {
    const { request } = fixtureApp()
    const answers = await Promise.all([request("/healthz"), request("/none"), request("/mcp", { headers: { authorization: "" } }), request("/x", { headers: { host: "evil" } })])
    for (const { headers } of answers) expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual(["no-store", "nosniff"])
  })
})
