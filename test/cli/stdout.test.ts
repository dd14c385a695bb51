/** What can't be read on stdout is not taken for told: real commands, with a stdout that takes nothing. */
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { ensureFirstToken } from "../../src/state/first-token.ts"
import { openState, type State } from "../../src/state/state.ts"
import { digestOf } from "../../src/state/token-text.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

const MAIN = join(import.meta.dir, "../../src/main.ts")

function spawnedTo(redirection: string, home: Scratch, args: readonly string[], env: Record<string, string> = {}) {
  return Bun.spawn(["sh", "-c", `exec "$@" ${redirection}`, "sh", process.execPath, "--no-env-file", MAIN, ...args], {
    env: { HOME: home.path, SERVERFS_STATE_DIR: home.at("state"), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
}

async function commandTo(redirection: string, home: Scratch, ...args: string[]) {
  const child = spawnedTo(redirection, home, args)
  const [stderr, status] = await Promise.all([child.stderr.text(), child.exited])
  return { stderr, status }
}

/** What a gateway says that starts, and is stopped as soon as it serves. */
async function servedOnce(redirection: string, home: Scratch, env: Record<string, string> = {}, args: readonly string[] = []): Promise<string> {
  const child = spawnedTo(redirection, home, ["--dir", `d=${home.at("d")}`, "--port=0", ...args], env)
  let log = ""
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    log += chunk
    if (log.includes('"event":"startup"')) child.kill("SIGTERM")
  }
  expect([await child.exited, log]).toEqual([0, expect.stringContaining('"event":"shutdown"')])
  return log
}

function inState<T>(home: Scratch, use: (state: State) => T): T {
  using state = openState(home.at("state"))
  return use(state)
}

function tokensIn(home: Scratch): readonly string[] {
  return inState(home, (state) => state.tokens.list().map(({ name }) => name))
}

describe("a stdout whose reader has gone", () => {
  test("ends a command as done: whoever reads has read enough", async () => {
    using home = scratch()
    const child = Bun.spawn(["bash", "-c", `set -o pipefail; "$@" | true`, "bash", process.execPath, "--no-env-file", MAIN, "--help"], { env: { HOME: home.path }, stdin: "ignore", stdout: "ignore", stderr: "pipe" })
    expect([await child.stderr.text(), await child.exited]).toEqual(["", 0])
  })
})

describe("a stdout without room", () => {
  test.each(["--help", "--version", "--check --dir d=.", "connect curl", "token --help"])("fails '%s' with status 1 and a line that says so", async (words) => {
    using home = scratch()
    const failed = await commandTo(">/dev/full", home, ...words.split(" "))
    expect(failed).toEqual({ status: 1, stderr: "serverfs: stdout can't be written to (ENOSPC), and what it was to show is lost; send it where there is room\n" })
  })

  test("keeps no start from serving that has no token to show", async () => {
    using home = scratch({ d: null })
    expect(await servedOnce(">/dev/full", home, { SERVERFS_TOKEN: "t".repeat(32) })).not.toContain("first token")
  })
})

describe("a token whose text nobody can have seen", () => {
  const STDOUTS = [[">/dev/full", "ENOSPC"], [">&-", "it is closed, or /dev/null"], [">/dev/null", "it is closed, or /dev/null"]] as const

  test.each(STDOUTS)("is not left behind by 'token create %s'", async (redirection, reason) => {
    using home = scratch()
    const { status, stderr } = await commandTo(redirection, home, "token", "create", "--name", "q")
    expect([status, tokensIn(home)]).toEqual([1, []])
    expect(stderr).toEndWith(`\nserverfs token: stdout can't be written to (${reason}), so token 'q' is revoked again; send stdout where it can be read\n`)
  })

  test.each(STDOUTS)("is not left behind by a first start %s, which serves all the same", async (redirection, reason) => {
    using home = scratch({ d: null })
    expect(await servedOnce(redirection, home)).toStartWith(`serverfs: stdout can't be written to (${reason}), so no first token is left that nobody has seen; `)
    expect(tokensIn(home)).toEqual([])
  })

  test("does not replace the one in use, when a start with --new-token goes to /dev/null", async () => {
    using home = scratch({ d: null })
    const options = { hasCredential: false, renew: false, now: Date.now() }
    const text = inState(home, (state) => ensureFirstToken(state, options)) ?? ""
    await servedOnce(">/dev/null", home, {}, ["--new-token"])
    expect(inState(home, (state) => state.tokens.find(digestOf(text))?.name)).toBe("first")
  })
})
