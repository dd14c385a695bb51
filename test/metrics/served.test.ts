import { describe, expect, test } from "bun:test"
import { runCommand, startProduct } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"

describe("SERVERFS_METRICS", () => {
  test("off: there is no /metrics", async () => {
    using dir = scratch()
    await using product = await startProduct({ workdirs: { docs: dir.path } })
    expect((await product.fetch("/metrics")).status).toBe(404)
  })

  test("on: a token for /metrics alone reads it and opens nothing else", async () => {
    using dir = scratch()
    using state = scratch()
    const { status, stdout, stderr } = await runCommand(["token", "create", "--name", "prometheus", "--mount", "/metrics"], {
      SERVERFS_STATE_DIR: state.at("state"), SERVERFS_METRICS: "on",
    })
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("mounts nothing at")])
    await using product = await startProduct({ workdirs: { docs: dir.path }, env: { SERVERFS_METRICS: "on" }, stateDir: state.at("state") })
    expect((await product.fetch("/mcp/stat_file", { method: "POST", body: '{"workdir":"docs","path":""}' })).status).toBe(200)
    const scraped = await product.fetch("/metrics", { headers: { authorization: `Bearer ${stdout.trim()}` } })
    expect(await scraped.text()).toContain('serverfs_calls_total{service="serverfs",tool="stat_file",workdir="docs",code="ok"} 1\n')
    expect((await product.fetch("/mcp/list_workdirs", { method: "POST", headers: { authorization: `Bearer ${stdout.trim()}` } })).status).toBe(403)
  })

  test("a port: it is there for this machine, confined or not", async () => {
    using dir = scratch()
    using probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } })
    const { port } = probe
    probe.stop(true)
    await using product = await startProduct({ workdirs: { docs: dir.path }, env: { SERVERFS_METRICS: String(port) } })
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
    expect((await product.fetch("/metrics")).status).toBe(404)
  })
})
