import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { chmodSync, existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { check } from "../../src/cli/check.ts"
import { openState } from "../../src/state/state.ts"
import { slotsFor, World } from "../config/world.ts"

const MAIN = join(import.meta.dir, "../../src/main.ts")
const NOW = Date.parse("2026-11-30T12:00:00Z")
const ANYWHERE = { SERVERFS_HOST: "0.0.0.0" }
const ALL = { mounts: null, workdirs: null, readOnly: false }

function checked(world: World, env: Record<string, string> = {}) {
  const out = { stdout: "", stderr: "" }
  const into = (stream: "stdout" | "stderr") => ({ write: (text: string) => (out[stream] += text) })
  const loaded = world.load({ ...slotsFor({ a: world.dir("a") }), SERVERFS_STATE_DIR: world.at("state"), ...env })
  const status = check(loaded, { stdout: into("stdout"), stderr: into("stderr"), now: NOW })
  return { status, ...out }
}

describe("--check", () => {
  test("prints what is in force, and makes no state", () => {
    using world = new World()
    const { status, stdout, stderr } = checked(world)
    expect([status, stderr, existsSync(world.at("state"))]).toEqual([0, "", false])
    expect(stdout).toEndWith("OAuth: off: SERVERFS_PUBLIC_URL is not set\nTokens: none yet; the first start makes one and shows it\n")
  })

  test("a fault of the configuration goes to stderr, with status 2", () => {
    using world = new World()
    expect(checked(world, { SERVERFS_PORT: "x" })).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("CONFIGURATION_ERROR: SERVERFS_PORT: ") })
  })

  test("says which variables nobody reads, and goes on", () => {
    using world = new World()
    const { status, stdout, stderr } = checked(world, { SERVERFS_NOTHING_OF_THE_KIND: "1" })
    expect([status, stderr]).toEqual([0, "serverfs: SERVERFS_NOTHING_OF_THE_KIND: there is no such variable, and it does nothing; rename it or remove it\n"])
    expect(stdout).toContain("workdirs on /mcp: 1")
  })

  test("says which directories are meant to be changed and can't be", () => {
    using world = new World()
    for (const [name, mode] of [["mine", 0o777], ["theirs", 0o555], ["docs", 0o555], ["files", 0o555]] as const) chmodSync(world.dir(name), mode)
    chmodSync(world.base, 0o755)
    const stranger = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"] : []
    const dirs = ["--dir", `mine=${world.at("mine")}:rw`, "--dir", `theirs=${world.at("theirs")}:rw`, "--dir", `docs=${world.at("docs")}`]
    const { stderr, exitCode } = Bun.spawnSync([...stranger, process.execPath, "--no-env-file", MAIN, ...dirs, "--check"], {
      env: { HOME: world.base, SERVERFS_STATE_DIR: world.at("no-state"), FILES_MCP_ROOT: world.at("files") },
    })
    const lacking = "is meant to be changed, and this process may not: every change there will be refused; 'serverfs doctor' says what it lacks"
    expect([exitCode, stderr.toString()]).toEqual([0, `serverfs: workdir theirs ${lacking}\nserverfs: the Files root ${lacking}\n`])
  })

  test("listening beyond loopback without a credential is one", async () => {
    using world = new World()
    const missing = { status: 2, stdout: "", stderr: expect.stringMatching(/^serverfs: CONFIGURATION_ERROR: SERVERFS_HOST: 0\.0\.0\.0 can be reached .*no credential/) }
    expect(checked(world, ANYWHERE)).toMatchObject(missing)
    using state = openState(world.at("state"))
    expect(checked(world, ANYWHERE)).toMatchObject(missing)
    state.tokens.create("past", { ...ALL, expires: NOW }, NOW - 1)
    expect(checked(world, ANYWHERE)).toMatchObject(missing)
    state.tokens.create("live", { ...ALL, expires: NOW + 1 }, NOW)
    expect(checked(world, ANYWHERE)).toMatchObject({ status: 0, stdout: expect.stringContaining("Tokens: 1 named") })
    state.tokens.revoke("live")
    await state.operatorSecret.set("correct horse battery", NOW)
    expect(checked(world, { ...ANYWHERE, SERVERFS_PUBLIC_URL: "https://gate.example.net" })).toMatchObject({ status: 0, stdout: expect.stringContaining("\nOAuth: on\n") })
  })

  test("a state that is open to others is one", () => {
    using world = new World()
    chmodSync(world.dir("state"), 0o755)
    expect(checked(world)).toMatchObject({ status: 2, stderr: expect.stringContaining("SERVERFS_STATE_DIR: ") })
  })

  test("leaves a state as it is, of another version too", () => {
    using world = new World()
    openState(world.at("state"))[Symbol.dispose]()
    expect(checked(world).stdout).toContain("Tokens: none yet")
    const path = world.at("state/state.db")
    {
      using db = new Database(path)
      db.run("PRAGMA user_version = 1")
    }
    expect(checked(world)).toMatchObject({ status: 0, stdout: expect.stringContaining("Tokens: those of a state that can't be read here") })
    expect(readdirSync(world.at("state"))).toEqual(["state.db"])
    using db = new Database(path)
    expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 1 })
  })
})
