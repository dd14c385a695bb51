/** The token that a first start makes: shown once, and only by a start that serves. */
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { openState } from "../../src/state/state.ts"
import { runCommand, until } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"

const TOKEN = /^ {2}(sfs_[A-Za-z0-9_-]{43})$/m

/** Runs a start until it has said where it serves; gives what it printed. */
async function startsWith(env: Record<string, string>, ...args: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, "src/main.ts", ...args], { env: { PATH: process.env.PATH ?? "", ...env }, stdout: "pipe", stderr: "ignore" })
  let printed = ""
  const reading = (async () => {
    for await (const chunk of child.stdout) printed += Buffer.from(chunk).toString()
  })()
  await until(20_000, () => (printed.includes("Ctrl-C stops it") ? true : undefined))
  child.kill("SIGTERM")
  await reading
  return printed
}

describe("the first token", () => {
  test("is not used up by a start that finds its port taken, is shown by the next, and only pointed at by the one after", async () => {
    using home = scratch({ d: null })
    using taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
    const env = { HOME: home.path, SERVERFS_STATE_DIR: home.at("state") }
    const refused = await runCommand(["--dir", `d=${home.at("d")}`, "--port", String(taken.port)], env)
    expect([refused.status, TOKEN.test(refused.stdout)]).toEqual([1, false])
    expect(refused.stderr).toContain("--port N takes another")

    const first = await startsWith(env, "--dir", `d=${home.at("d")}`, "--port", "0")
    expect(first).toMatch(TOKEN)
    const second = await startsWith(env, "--dir", `d=${home.at("d")}`, "--port", "0")
    expect(second).not.toMatch(TOKEN)
    expect(second).toContain("--new-token replaces it")
    expect(await startsWith(env, "--dir", `d=${home.at("d")}`, "--port", "0", "--new-token")).toMatch(TOKEN)
  }, 60_000)

  test("ends a start that can't write it, with a line that says why", async () => {
    using home = scratch({ d: null })
    openState(home.at("state"))[Symbol.dispose]()
    using writer = new Database(home.at("state/state.db"))
    writer.run("BEGIN IMMEDIATE")
    const { status, stdout, stderr } = await runCommand(["--dir", `d=${home.at("d")}`, "--port=0"], { HOME: home.path, SERVERFS_STATE_DIR: home.at("state") })
    expect([status, stdout]).toEqual([2, ""])
    const [line, event] = stderr.split("\n")
    expect(line).toMatch(/^serverfs: CONFIGURATION_ERROR: SERVERFS_STATE_DIR: .* locked for 2 s\); .*; the first token is as it was$/)
    expect(JSON.parse(event ?? "")).toMatchObject({ event: "startup_failed", variables: ["SERVERFS_STATE_DIR"] })
  })
})
