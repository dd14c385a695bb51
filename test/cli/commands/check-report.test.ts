import { describe, expect, test } from "bun:test"
import { checkReport } from "../../../src/cli/commands/check-report.ts"
import type { Credentials } from "../../../src/config/credential.ts"
import type { ConfigOptions } from "../../../src/config/variables/given.ts"
import { VARIABLES } from "../../../src/config/variables/variables.ts"
import { slotsFor, TOKEN, World } from "../../config/world.ts"

const NONE: Credentials = { liveTokens: 0, expiredTokens: 0, operatorSecret: false }

function report(world: World, env: Record<string, string>, options: Partial<ConfigOptions> = {}, cwd = world.base, credentials: Credentials | null = NONE): string {
  const loaded = world.load(env, options, { cwd })
  return loaded.ok ? checkReport(loaded.config, loaded.given, credentials) : ""
}

describe("checkReport()", () => {
  test("has a line for every variable, and says where a value comes from", () => {
    using world = new World()
    const env = { FILES_MCP_ROOT: world.dir("files"), SERVERFS_MAX_READ_LINES: "7", SERVERFS_PORT: "1", SERVERFS_EXTRA_DENY_GLOBS: "" }
    const lines = report(world, env, { port: "2" }).split("\n")
    for (const name of Object.keys(VARIABLES)) expect(lines.filter((line) => line.startsWith(`${name} = `))).toHaveLength(1)
    expect(lines).toContain("SERVERFS_MAX_READ_LINES = 7")
    expect(lines).toContain("SERVERFS_PORT = 2  (--port)")
    expect(lines).toContain("SERVERFS_HOST = 127.0.0.1  (default)")
    expect(lines).toContain("SERVERFS_EXTRA_DENY_GLOBS = (not set)")
    expect(lines).toContain(`SERVERFS_STATE_DIR = ${world.at("home/.local/state/serverfs")}  (default)`)
  })

  test("says what is in force of a default that is over its maximum", () => {
    using world = new World()
    const env = { FILES_MCP_ROOT: world.dir("files"), SERVERFS_DEFAULT_LIST_LIMIT: "1000", SERVERFS_MAX_SEARCH_RESULTS: "20" }
    const lines = report(world, env).split("\n")
    expect(lines).toContain("SERVERFS_DEFAULT_LIST_LIMIT = 1000  (500 in force: SERVERFS_MAX_LIST_ENTRIES)")
    expect(lines).toContain("SERVERFS_DEFAULT_SEARCH_RESULTS = 50  (default)  (20 in force: SERVERFS_MAX_SEARCH_RESULTS)")
  })

  test("lists what is served, with access, path and policy", () => {
    using world = new World()
    const env = {
      ...slotsFor({ docs: world.dir("docs"), w: world.dir("w") }), WORKDIR_02_READ_ONLY: "false", WORKDIR_02_ALLOW_HIDDEN: "true",
      WORKDIR_02_DISABLE_DEFAULT_DENY: "true", WORKDIR_02_EXTRA_DENY_GLOBS: "*.a,b/**", FILES_MCP_ROOT: world.dir("files"),
    }
    expect(report(world, env).split("\n").slice(-6, -2)).toEqual([
      "workdirs on /mcp: 2",
      `  docs  read-only   ${world.at("docs")}`,
      `  w     read-write  ${world.at("w")}  (hidden names shown; built-in deny rules off; denied besides: *.a, b/**)`,
      `Files on /files-mcp: read-write ${world.at("files")}`,
    ])
  })

  test("says so when nothing is configured", () => {
    using world = new World()
    const text = report(world, {}, {}, world.dir("project"))
    expect(text).toContain(`workdirs on /mcp: 1 (nothing is configured: the current directory)\n  project  read-only   ${world.at("project")}\n`)
    expect(text).toContain("\nFiles on /files-mcp: off\n")
  })

  test("shows no token, neither from the environment nor from a file", () => {
    using world = new World()
    const files = { FILES_MCP_ROOT: world.dir("files") }
    const fromEnv = report(world, { ...files, SERVERFS_TOKEN: TOKEN })
    const fromFile = report(world, { ...files, SERVERFS_TOKEN_FILE: world.file("conf/token", TOKEN) })
    expect(fromEnv).toContain("SERVERFS_TOKEN = (set, not shown)\n")
    expect(fromFile).toContain(`SERVERFS_TOKEN_FILE = ${world.at("conf/token")}\n`)
    expect(fromEnv + fromFile).not.toContain(TOKEN)
  })

  const PUBLIC = { SERVERFS_PUBLIC_URL: "https://gate.example.net" }
  test.each<[string, Record<string, string>, Credentials | null, string]>([
    ["no public URL", {}, NONE, "off: SERVERFS_PUBLIC_URL is not set"],
    ["no secret", PUBLIC, NONE, "off: there is no operator secret"],
    ["everything", PUBLIC, { ...NONE, operatorSecret: true }, "on"],
    ["everything, and off", { ...PUBLIC, SERVERFS_OAUTH: "off" }, { ...NONE, operatorSecret: true }, "off: SERVERFS_OAUTH is off"],
    ["http", { SERVERFS_PUBLIC_URL: "http://gate.example.net" }, { ...NONE, operatorSecret: true }, "off: SERVERFS_PUBLIC_URL is not https"],
    ["a path", { SERVERFS_PUBLIC_URL: "https://gate.example.net/x" }, { ...NONE, operatorSecret: true }, "off: SERVERFS_PUBLIC_URL has a path"],
    ["a state that can't be read", PUBLIC, null, "on if there is an operator secret"],
  ])("says whether OAuth is on: with %s", (_what, env, credentials, expected) => {
    using world = new World()
    expect(report(world, { ...slotsFor({ a: world.dir("a") }), ...env }, {}, world.base, credentials).split("\n").at(-2)).toBe(`OAuth: ${expected}`)
  })

  test.each<[Record<string, string>, Credentials | null, string]>([
    [{}, NONE, "none; a start makes one with full rights and shows it"],
    [{}, { ...NONE, expiredTokens: 2 }, "none, but for 2 past their end; a start makes one only with --new-token"],
    [{}, { ...NONE, expiredTokens: 2, operatorSecret: true }, "none"],
    [{ SERVERFS_TOKEN: TOKEN }, NONE, "the static one"],
    [{ SERVERFS_TOKEN: TOKEN }, { ...NONE, liveTokens: 2 }, "the static one, 2 named"],
    [{}, { ...NONE, operatorSecret: true }, "none"],
    [{}, null, "those of a state that can't be read here"],
  ])("says which tokens there are: %j, %j", (env, credentials, expected) => {
    using world = new World()
    expect(report(world, { ...slotsFor({ a: world.dir("a") }), ...env }, {}, world.base, credentials)).toEndWith(`\nTokens: ${expected}`)
  })

  test("no name of a directory can end or repaint a line", () => {
    using world = new World()
    const text = report(world, slotsFor({ a: world.dir("x\n\u001b[31my") }))
    expect(text).toContain("x\\u000a\\u001b[31my")
  })
})
