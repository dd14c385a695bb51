/** Commands whose change can't be written: they say so in a line, and what holds instead. */
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import * as grants from "../../../src/cli/commands/grants.ts"
import * as operatorSecret from "../../../src/cli/commands/operator-secret.ts"
import type { TokenContext } from "../../../src/cli/commands/token-context.ts"
import * as token from "../../../src/cli/commands/token.ts"
import { openState } from "../../../src/state/state.ts"
import { stateDirectory } from "../../state/state-directory.ts"

const directory = stateDirectory()

/** Runs a command beside a process that goes on writing. */
async function busy(run: (context: Pick<TokenContext, "stateDir" | "now" | "served" | "stdout" | "stderr">) => number | Promise<number>) {
  const out = { stdout: "", stderr: "" }
  const into = (stream: "stdout" | "stderr") => ({ write: (text: string) => (out[stream] += text) })
  using writer = new Database(join(directory(), "state.db"))
  writer.run("BEGIN IMMEDIATE")
  const status = await run({ stateDir: directory(), now: 0, served: null, stdout: into("stdout"), stderr: into("stderr") })
  return { status, ...out }
}

const says = (outcome: string) => ({
  status: 2,
  stdout: "",
  stderr: `serverfs: CONFIGURATION_ERROR: SERVERFS_STATE_DIR: ${directory()}/state.db can't be used (another process has kept it locked for 2 s); try again, or end that process; ${outcome}\n`,
})

describe("a state that another process keeps locked", () => {
  test.each([
    ["create --name new", "token 'new' is not made"],
    ["revoke ci", "nothing is revoked: token 'ci', if there is one, is still good"],
  ])("lets 'token %s' say what holds", async (words, outcome) => {
    using state = openState(directory())
    state.tokens.create("ci", { mounts: null, workdirs: null, readOnly: true, expires: null }, 0)
    expect(await busy((context) => token.run(words.split(" "), context))).toEqual(says(outcome))
    expect(state.tokens.list()).toMatchObject([{ name: "ci" }])
  })

  test("lets 'grants revoke' name all that is still good", async () => {
    openState(directory())[Symbol.dispose]()
    expect(await busy((context) => grants.run(["revoke", "a1", "b2"], context))).toEqual(says("not revoked, and still good if they are there: a1, b2"))
  })

  test("lets 'operator-secret --remove' say what holds", async () => {
    openState(directory())[Symbol.dispose]()
    expect(await busy((context) => operatorSecret.run(["--remove"], { ...context, stdin: process.stdin }))).toEqual(says("the operator secret is as it was"))
  })
})
