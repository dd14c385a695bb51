import { describe, expect, test } from "bun:test"
import { COMMANDS } from "../../src/cli/command-table.ts"
import { runCommand } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"

const UNUSABLE = { SERVERFS_MAX_READ_BYTES: "bad", WORKDIR_01_ALIAS: "gone", WORKDIR_01_PATH: "/does/not/exist" }
const others = Object.keys(COMMANDS).filter((name) => name !== "serve")

describe("the help of a command", () => {
  test.each(others)("%s: comes whatever the configuration is, and says what the command must be given", async (name) => {
    using home = scratch()
    const env = { ...UNUSABLE, HOME: home.path }
    const [long, short] = await Promise.all([runCommand([name, "--help"], env), runCommand([name, "-h"], env)])
    expect(short).toEqual(long)
    expect([long.status, long.stderr]).toEqual([0, ""])
    expect(long.stdout).toMatch(/^Usage:[^]*Takes --env-file, --dir, --host and --port as well\. Give it what the gateway was given/)
  })
})

describe("a command that works on the state alone", () => {
  test.each(["token revoke ci", "token list", "grants list", "grants revoke x", "operator-secret --remove"])("%s is not held up by what it has no use for", async (words) => {
    using home = scratch()
    const { stderr } = await runCommand(words.split(" "), { ...UNUSABLE, HOME: home.path, SERVERFS_STATE_DIR: home.at("state") })
    expect(stderr).toMatch(/there is no token|There are no named tokens|Nothing is granted|there is no grant|none was set/)
  })

  test("is refused for a misspelt SERVERFS_STATE_DIR, which would lead it elsewhere", async () => {
    using home = scratch()
    const { status, stderr } = await runCommand(["token", "revoke", "ci"], { ...UNUSABLE, HOME: home.path, SERVERFS_STATE_DIRR: home.at("state") })
    expect([status, stderr]).toEqual([2, "serverfs: CONFIGURATION_ERROR: SERVERFS_STATE_DIRR: there is no such variable; did you mean SERVERFS_STATE_DIR? Rename it or remove it\n"])
  })
})
