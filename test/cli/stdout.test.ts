/** What can't be read on stdout is not taken for told: real commands, with a stdout that takes nothing. */
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { openState } from "../../src/state/state.ts"
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
async function servedOnce(redirection: string, home: Scratch, env: Record<string, string> = {}): Promise<string> {
  const child = spawnedTo(redirection, home, ["--dir", `d=${home.at("d")}`, "--port=0"], env)
  let log = ""
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    log += chunk
    if (log.includes('"event":"startup"')) child.kill("SIGTERM")
  }
  expect([await child.exited, log]).toEqual([0, expect.stringContaining('"event":"shutdown"')])
  return log
}

function tokensIn(home: Scratch): readonly string[] {
  using state = openState(home.at("state"))
  return state.tokens.list().map(({ name }) => name)
}

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
    const log = await servedOnce(redirection, home)
    expect(log).toStartWith(`serverfs: the first token can't be shown: stdout can't be written to (${reason}); it is revoked again, and the next start makes another`)
    expect(tokensIn(home)).toEqual([])
  })
})
