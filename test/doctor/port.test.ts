import { describe, expect, test } from "bun:test"
import { checkPort } from "../../src/doctor/checks/port.ts"
import { checkRunning } from "../../src/doctor/checks/running.ts"

const HOST = "127.0.0.1"

function server(fetch: (request: Request) => Response) {
  const listening = Bun.serve({ hostname: HOST, port: 0, fetch })
  return { port: listening.port ?? 0, [Symbol.dispose]: () => void listening.stop(true) }
}

const health = (request: Request): Response => (
  request.headers.get("host")?.startsWith(HOST) ? Response.json({ status: "ok" }) : new Response(null, { status: 421 })
)

describe("checkPort()", () => {
  test("is content with any port, and with a free one", async () => {
    const taken = server(() => new Response())
    const { port } = taken
    taken[Symbol.dispose]()
    expect((await checkPort({ host: HOST, port: 0 })).finding.level).toBe("ok")
    expect(await checkPort({ host: HOST, port })).toEqual({ finding: expect.objectContaining({ level: "ok", message: `${port} on ${HOST} is free` }), running: null })
  })

  test("tells this gateway from another program on the port", async () => {
    using gateway = server(health)
    using other = server(() => new Response("hello"))
    expect(await checkPort({ host: HOST, port: gateway.port })).toMatchObject({ finding: { level: "ok" }, running: `http://${HOST}:${gateway.port}` })
    expect(await checkPort({ host: HOST, port: other.port })).toMatchObject({ finding: { level: "error", message: `${other.port} is taken by another program` }, running: null })
  })

  test("warns of a gateway that takes any Host", async () => {
    using lax = server(() => Response.json({ status: "ok" }))
    expect((await checkPort({ host: HOST, port: lax.port })).finding).toMatchObject({ level: "warning", message: expect.stringContaining("any Host") })
  })

  test("refuses an address that is not this machine's", async () => {
    expect((await checkPort({ host: "192.0.2.1", port: 8000 })).finding).toMatchObject({ level: "error", fix: expect.stringContaining("SERVERFS_HOST") })
  })
})

describe("checkRunning()", () => {
  const targets = ["a", "b", "c"].map((name) => ({ name, path: "/", writable: false }))

  test("says to restart for a directory that the gateway lost, or does not know", async () => {
    using gateway = server(() => Response.json({ services: { serverfs: { a: "ok", b: "unavailable" } } }))
    const findings = await checkRunning(`http://${HOST}:${gateway.port}`, "secret", targets)
    expect(findings.map(({ level }) => level)).toEqual(["ok", "error", "error"])
    expect(findings.slice(1).every(({ fix }) => fix?.startsWith("restart the gateway"))).toBe(true)
  })

  test("warns when the gateway does not take the token", async () => {
    using gateway = server(() => Response.json({ status: "ready" }))
    expect(await checkRunning(`http://${HOST}:${gateway.port}`, "secret", targets)).toEqual([expect.objectContaining({ level: "warning" })])
  })
})
