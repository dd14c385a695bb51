import { describe, expect, test } from "bun:test"
import { createApp } from "../../src/http/app.ts"
import { ListenError } from "../../src/http/server.ts"
import { openMetrics } from "../../src/metrics/open-metrics.ts"
import { AuditLog } from "../helpers/audit-log.ts"
import { authenticator } from "../helpers/fixture-app.ts"
import { fixtureService } from "../helpers/fixture-service.ts"
import { LIMITS } from "../helpers/limits.ts"

const vitals = { lanes: { threads: 0, stuck: 0, lock: { waiting: 0 } }, audit: { stalled: false } }
const challenge = (problem: string) => `Bearer error="${problem}"`

async function opened(port: number | null) {
  const log = new AuditLog()
  const metrics = await openMetrics({ metrics: { port }, workdirs: [] }, vitals)
  if (metrics === null) throw new Error("they are on")
  const audit = metrics.observed(log)
  const config = { host: "127.0.0.1", publicUrl: null, allowedHosts: [], allowedOrigins: [], limits: LIMITS }
  const knowing: typeof authenticator = {
    verify: (authorization, mount) => (authorization === "Bearer scraper"
      ? { principal: { name: "scraper", mounts: new Set(["/metrics"]), workdirs: null, readOnly: true } }
      : authenticator.verify(authorization, mount)),
  }
  const app = createApp({ services: [fixtureService()], authenticator: knowing, audit, config, version: "1.2.3", challenge })
  metrics.serve(app, { authenticator: knowing, audit, challenge })
  const request = async (path: string, token: string, method = "GET", body?: string) => (
    app.fetch(new Request(`http://localhost${path}`, { method, ...(body === undefined ? {} : { body }), headers: { host: "localhost", ...(token === "" ? {} : { authorization: `Bearer ${token}` }) } }))
  )
  return { metrics, log, request }
}

describe("/metrics behind the bearer check", () => {
  test("is text for a token that opens everything, and for one that opens it alone", async () => {
    const { request } = await opened(null)
    for (const token of ["full", "reader", "scraper"]) {
      const answer = await request("/metrics", token)
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
      expect(await answer.text()).toContain("# TYPE serverfs_calls_total counter")
    }
    expect((await request("/mcp", "scraper", "POST", "{}")).status).toBe(403)
  })

  test.each([
    ["", 401, "missing"],
    ["unknown", 401, "invalid"],
    ["narrow", 403, "insufficient_scope"],
    ["elsewhere", 403, "insufficient_scope"],
  ])("refuses the token '%s' with %d and a challenge", async (token, status, problem) => {
    const { request } = await opened(null)
    const answer = await request("/metrics", token)
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([status, `Bearer error="${problem}"`])
    expect(await answer.text()).not.toContain("serverfs_")
  })

  test("is read with GET alone: 405", async () => {
    const { request } = await opened(null)
    expect((await request("/metrics", "full", "POST")).status).toBe(405)
  })

  test("has each call once, as the audit has it, and the refused credentials", async () => {
    const { request, log } = await opened(null)
    await request("/mcp/read_note", "full", "POST", JSON.stringify({ board: "ro", path: "none" }))
    await request("/mcp/read_note", "unknown", "POST", "{}")
    const text = await (await request("/metrics", "full")).text()
    const { service, tool, error_code } = log.calls[0] ?? {}
    expect(log.calls).toHaveLength(1)
    expect(text).toContain(`serverfs_calls_total{service="${service}",tool="${tool}",workdir="",code="${error_code}"} 1\n`)
    expect(text).toContain("serverfs_auth_failures_total 1\n")
  })
})

describe("/metrics on a port of its own", () => {
  const free = () => {
    const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
    const { port } = taken
    taken.stop(true)
    return port ?? 0
  }

  test("needs no token there, and is not on the gateway's", async () => {
    const port = free()
    const { metrics, request } = await opened(port)
    try {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
      expect([answer.status, (await answer.text()).includes("serverfs_info")]).toEqual([200, true])
      expect((await request("/metrics", "full")).status).toBe(404)
      expect((await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST" })).status).toBe(404)
    } finally {
      await metrics.stop()
    }
    expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow()
  })

  test.each([
    [{ host: "rebound.example" }, 421],
    [{ origin: "https://page.example" }, 403],
  ])("answers no web page: %j", async (headers, status) => {
    const port = free()
    const { metrics } = await opened(port)
    try {
      expect((await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).status).toBe(status)
    } finally {
      await metrics.stop()
    }
  })

  test("a port that is taken is a ListenError", async () => {
    const { metrics } = await opened(null)
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
    expect(opened(other.port ?? 0)).rejects.toThrow(ListenError)
    await metrics.stop()
  })
})

test("openMetrics() is null while they are off", async () => {
  expect(await openMetrics({ metrics: null, workdirs: [] }, vitals)).toBeNull()
})
