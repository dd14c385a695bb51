import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { check } from "../../../src/cli/commands/check.ts"
import { openState } from "../../../src/state/state.ts"
import { slotsFor, World } from "../../config/world.ts"

const MAIN = join(import.meta.dir, "../../../src/main.ts")
const NOW = Date.parse("2026-11-30T12:00:00Z")
const ANYWHERE = { SERVERFS_HOST: "0.0.0.0" }
/** Root may write anywhere. */
const stranger = process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"] : []
const ALL = { mounts: null, workdirs: null, readOnly: false }

function planted(state: string, plant: () => void): void {
  mkdirSync(state, { mode: 0o700 })
  plant()
}

function newer(state: string): void {
  openState(state)[Symbol.dispose]()
  using db = new Database(join(state, "state.db"))
  db.run("PRAGMA user_version = 99")
}

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
    expect(stdout).toEndWith("OAuth: off: SERVERFS_PUBLIC_URL is not set\nTokens: none; a start makes one with full rights and shows it\n")
  })

  test("says what a start does about tokens: one more after the last was revoked, none beside one that is past its end", () => {
    using world = new World()
    using state = openState(world.at("state"))
    const tokens = () => checked(world).stdout.split("\nTokens: ")[1]
    state.tokens.create("ci", { ...ALL, expires: NOW }, NOW - 1)
    expect(tokens()).toBe("none, but for 1 past their end; a start makes one only with --new-token\n")
    state.tokens.revoke("ci")
    expect(tokens()).toBe("none; a start makes one with full rights and shows it\n")
  })

  test("a fault of the configuration goes to stderr, with status 2", () => {
    using world = new World()
    expect(checked(world, { SERVERFS_PORT: "x" })).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("CONFIGURATION_ERROR: SERVERFS_PORT: ") })
  })

  test("says which variables nobody reads, and goes on", () => {
    using world = new World()
    const { status, stdout, stderr } = checked(world, { SERVERFS_NOTHING_OF_THE_KIND: "1" })
    expect([status, stderr]).toEqual([0, "serverfs: SERVERFS_NOTHING_OF_THE_KIND: there is no such variable, and it does nothing; rename it or remove it (serverfs --help names what there is)\n"])
    expect(stdout).toContain("workdirs on /mcp: 1")
  })

  test.each([["SERVERFS_READ_ONLY", "WORKDIR_XX_READ_ONLY"], ["SERVERFS_OPERATOR_SECRET", "'serverfs operator-secret'"]])("says what to use in place of %s", (name, instead) => {
    using world = new World()
    expect(checked(world, { [name]: "true" })).toMatchObject({ status: 0, stderr: expect.stringContaining(instead) })
  })

  test("says which directories are meant to be changed and can't be", () => {
    using world = new World()
    for (const [name, mode] of [["mine", 0o777], ["theirs", 0o555], ["docs", 0o555], ["files", 0o555]] as const) chmodSync(world.dir(name), mode)
    chmodSync(world.base, 0o777)
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

  test.each<[string, (world: World) => void, RegExp]>([
    ["is open to others", (world) => chmodSync(world.dir("state"), 0o755), /open to other users/],
    ["was written by a newer program", (world) => newer(world.at("state")), /newer serverfs/],
    ["holds no database", (world) => planted(world.at("state"), () => writeFileSync(world.at("state/state.db"), "x".repeat(5000))), /state\.db can't be used \(file is not a database\)/],
    ["has a directory for a database", (world) => planted(world.at("state"), () => mkdirSync(world.at("state/state.db"))), /state\.db is not a file; move it away/],
    ["has a directory for a lock", (world) => planted(world.at("state"), () => mkdirSync(world.at("state/gateway.lock"))), /gateway\.lock is not a file; move it away/],
  ])("a state that %s is one", (_what, make, message) => {
    using world = new World()
    make(world)
    expect(checked(world)).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(message) })
  })

  test.each(["/proc/x", "/proc/x/y", "/sys/x", "/dev/null/x"])("a state that can't be made is one: %s", (path) => {
    using world = new World()
    expect(checked(world, { SERVERFS_STATE_DIR: path })).toMatchObject({ status: 2, stderr: expect.stringMatching(/SERVERFS_STATE_DIR: .*name a directory that this user may write to/) })
  })

  test("an audit file that can't be opened is one", () => {
    using world = new World()
    symlinkSync(world.file("log"), world.at("link"))
    execFileSync("mkfifo", [world.at("fifo")])
    for (const name of ["link", "fifo"]) expect(checked(world, { SERVERFS_AUDIT_FILE: world.at(name) })).toMatchObject({ status: 2, stderr: expect.stringContaining("SERVERFS_AUDIT_FILE: it can't be opened for appending") })
    expect([checked(world, { SERVERFS_AUDIT_FILE: world.at("new") }).status, existsSync(world.at("new"))]).toEqual([0, false])
  })

  test("confinement that is required and can't be had is one", () => {
    using world = new World()
    world.dir("state/a")
    const around = { SERVERFS_CONFINE: "required", WORKDIR_01_PATH: world.at("state/a") }
    chmodSync(world.at("state"), 0o700)
    expect(checked(world, around)).toMatchObject({ status: 2, stderr: expect.stringMatching(/SERVERFS_CONFINE: .*give it a directory of its own|SERVERFS_CONFINE=auto/) })
  })

  test("whatever an ordinary user may not write to is one", () => {
    using world = new World()
    for (const name of ["a", "locked"]) chmodSync(world.dir(name), 0o555)
    chmodSync(world.file("log"), 0o444)
    chmodSync(world.base, 0o755)
    const faultsOf = (env: Record<string, string>) => {
      const { stderr, exitCode } = Bun.spawnSync([...stranger, process.execPath, "--no-env-file", MAIN, "--dir", `a=${world.at("a")}`, "--check"], { env: { HOME: world.base, ...env } })
      return [exitCode, ...stderr.toString().split("\n").flatMap((line) => /ERROR: (\w+): /.exec(line)?.[1] ?? [])]
    }
    const state = "/tmp/none-of-serverfs"
    expect(faultsOf({ SERVERFS_STATE_DIR: state, SERVERFS_AUDIT_FILE: world.at("log") })).toEqual([2, "SERVERFS_AUDIT_FILE"])
    expect(faultsOf({ SERVERFS_STATE_DIR: state, SERVERFS_AUDIT_FILE: world.at("locked/log") })).toEqual([2, "SERVERFS_AUDIT_FILE"])
    expect(faultsOf({ SERVERFS_STATE_DIR: world.at("locked/deep/state") })).toEqual([2, "SERVERFS_STATE_DIR"])
  })

  test("all that is wrong comes at once, whether it shows in a text, in the state or in the audit file", () => {
    using world = new World()
    const wrong = { ...ANYWHERE, SERVERFS_MAX_READ_BYTES: "x", SERVERFS_AUDIT_FILE: world.at("fifo") }
    execFileSync("mkfifo", [world.at("fifo")])
    const variables = (env: Record<string, string>) => [...checked(world, env).stderr.matchAll(/ERROR: (\w+): /g)].map(([, name]) => name)
    expect(variables(wrong)).toEqual(["SERVERFS_MAX_READ_BYTES", "SERVERFS_AUDIT_FILE", "SERVERFS_HOST"])
    chmodSync(world.dir("state"), 0o755)
    expect(variables({ ...wrong, WORKDIR_01_READ_ONLY: "x" })).toEqual(["SERVERFS_MAX_READ_BYTES", "WORKDIR_01_READ_ONLY", "SERVERFS_STATE_DIR", "SERVERFS_AUDIT_FILE"])
  })

  test("a static token that is not accepted is one fault, and not a missing credential as well", () => {
    using world = new World()
    expect(checked(world, { ...ANYWHERE, SERVERFS_TOKEN: "short" }).stderr).toMatch(/^[^\n]*SERVERFS_TOKEN: [^\n]*\n$/)
  })

  test("changes nothing in the state, beside a running gateway or without", () => {
    using world = new World()
    const stamp = () => [statSync(world.at("state")).mtimeMs, readdirSync(world.at("state"))]
    {
      using _state = openState(world.at("state"))
      const before = stamp()
      expect([checked(world).status, stamp()]).toEqual([0, before])
    }
    const before = stamp()
    expect([checked(world).status, stamp()]).toEqual([0, before])
  })

  test("leaves a state as it is, of another version too", () => {
    using world = new World()
    openState(world.at("state"))[Symbol.dispose]()
    expect(checked(world).stdout).toContain("Tokens: none;")
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
