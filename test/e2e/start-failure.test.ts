/** A start that cannot be: a line a fault, one event in one shape, an exit status (contract §2). */
import { describe, expect, test } from "bun:test"
import { mkdirSync } from "node:fs"
import { runCommand } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

async function failed({ path, at }: Scratch, args: readonly string[], env: Record<string, string> = {}) {
  const ended = await runCommand(["--dir", `d=${at("d")}`, ...args], { HOME: path, SERVERFS_STATE_DIR: at("state"), ...env })
  const lines = ended.stderr.trimEnd().split("\n")
  const events = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line))
  return { status: ended.status, lines: lines.filter((line) => !line.startsWith("{")), events }
}

const event = (...variables: string[]) => ({ timestamp: expect.any(String), level: "ERROR", event: "startup_failed", reason: "the configuration is not usable", faults: variables.length, variables })


describe("a start that cannot be", () => {
  test.each(["state.db", "gateway.lock"])("tells of a directory in the place of %s", async (name) => {
    using home = scratch({ d: null })
    mkdirSync(home.at("state"), { mode: 0o700 })
    mkdirSync(home.at("state", name))
    const { status, lines, events } = await failed(home, ["--port=0"])
    expect([status, lines]).toEqual([2, [expect.stringMatching(new RegExp(`SERVERFS_STATE_DIR: .*${name} is not a file; move it away`))]])
    expect(events).toEqual([event("SERVERFS_STATE_DIR")])
  })

  test("tells of a missing credential in the same shape, and makes no token", async () => {
    using home = scratch({ d: null })
    const { status, lines, events } = await failed(home, ["--host=0.0.0.0", "--port=0"])
    expect([status, lines.length, events]).toEqual([2, 1, [event("SERVERFS_HOST")]])
  })

  test("tells of a port that is taken in the same shape, in the audit file as well, with status 1", async () => {
    using home = scratch({ d: null })
    using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
    mkdirSync(home.at("log"))
    const { status, lines, events } = await failed(home, [`--port=${taken.port}`], { SERVERFS_AUDIT_FILE: home.at("log/audit") })
    expect([status, lines]).toEqual([1, [expect.stringMatching(/^serverfs: port \d+ on 127\.0\.0\.1 is taken/)]])
    const reason = lines[0]?.replace("serverfs: ", "")
    expect(events).toEqual([{ ...event("SERVERFS_PORT"), reason }])
    expect(await Bun.file(home.at("log/audit")).text()).toContain('"event":"startup_failed"')
  })

  test("blames SERVERFS_METRICS for a port of theirs that is taken", async () => {
    using home = scratch({ d: null })
    using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
    const { status, lines, events } = await failed(home, ["--port=0"], { SERVERFS_METRICS: String(taken.port) })
    const reason = `port ${taken.port} on 127.0.0.1 is taken, and SERVERFS_METRICS asks for it (another port there, or on, which serves them on the gateway's own)`
    expect([status, lines, events]).toEqual([1, [`serverfs: ${reason}`], [{ ...event("SERVERFS_METRICS"), reason }]])
  })

  test("says what to set when the host is none of this machine's", async () => {
    using home = scratch({ d: null })
    const { status, lines, events } = await failed(home, ["--host=foo.invalid", "--port=0"], { SERVERFS_TOKEN: "t".repeat(32) })
    expect([status, lines]).toEqual([1, [expect.stringContaining("set SERVERFS_HOST to an address of this machine")]])
    expect(events).toMatchObject([{ variables: ["SERVERFS_HOST"] }])
  })

  test.each([["--check"], []])("tells of options together with variables and state: %s", async (...check) => {
    using home = scratch({ d: null })
    mkdirSync(home.at("state"), { mode: 0o755 })
    const variables = ["--portt", "SERVERFS_MAX_READ_BYTES", "SERVERFS_STATE_DIR"]
    const { status, lines, events } = await failed(home, ["--portt=1", ...check], { SERVERFS_MAX_READ_BYTES: "x" })
    expect([status, lines]).toEqual([2, variables.map((name) => expect.stringContaining(`CONFIGURATION_ERROR: ${name}: `))])
    expect(events).toEqual(check.length > 0 ? [] : [event(...variables)])
  })

  test("tells of arguments that were typed by mistake, and keeps them out of its event", async () => {
    using home = scratch({ d: null })
    const { status, lines, events } = await failed(home, ["serve", "a-secret"])
    expect([status, lines, events]).toEqual([2, [expect.stringContaining("serve takes no arguments")], [event("command line")]])
  })

  test("is no other command's: that leaves no event", async () => {
    using home = scratch({ d: null })
    expect(await failed(home, ["token", "--port"])).toMatchObject({ status: 2, events: [] })
  })

  test("names no path of --dir in its event", async () => {
    using home = scratch({ d: null })
    const { lines, events } = await failed(home, ["--port=0", "--dir", `gone=${home.at("gone")}`])
    expect([lines.length, events]).toEqual([1, [event("--dir")]])
  })
})
