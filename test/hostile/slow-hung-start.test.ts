/** A configured directory that hangs when the gateway starts. For root, with /dev/fuse. */
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { until } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"
import { mountHostile } from "./fuse/hostile-mount.ts"

const MAIN = join(import.meta.dir, "../../src/main.ts")

/** What is written on stderr before the process is let go by the file system that holds it, and its exit status afterwards. */
async function start(env: Record<string, string>, args: readonly string[], release: () => Promise<void>) {
  const began = performance.now()
  const child = Bun.spawn([process.execPath, "--no-env-file", MAIN, ...args], { env: { PATH: process.env["PATH"], ...env }, stdout: "ignore", stderr: "pipe" })
  let stderr = ""
  const reading = (async () => {
    for await (const chunk of child.stderr) stderr += Buffer.from(chunk).toString()
  })()
  await until(20_000, () => (stderr.includes("\n") ? true : undefined))
  const ms = performance.now() - began
  await release()
  const status = await child.exited
  await reading
  return { status, stderr, ms }
}

describe("a start with a directory that hangs", () => {
  test.each([
    ["serve", "WORKDIR_02_PATH", []],
    ["serve", "FILES_MCP_ROOT", []],
    ["serve", "SERVERFS_STATE_DIR", []],
    ["--check", "WORKDIR_02_PATH", ["--check"]],
    ["token create", "WORKDIR_02_PATH", ["token", "create", "--name", "ci"]],
  ] as const)("%s gives up after 5 s, with status 2 and a fault that names %s", async (_command, variable, args) => {
    using home = scratch({ calm: null })
    await using disk = await mountHostile(home.at("disk"), { "sub/a.txt": "x" })
    const env = {
      SERVERFS_STATE_DIR: home.at("state"), SERVERFS_PORT: "0",
      WORKDIR_01_ALIAS: "calm", WORKDIR_01_PATH: home.at("calm"), WORKDIR_02_ALIAS: "disk", WORKDIR_02_PATH: home.at("calm"),
      [variable]: join(disk.path, "sub"),
    }
    await disk.behave({ hang: ["*"] })
    const { status, stderr, ms } = await start(env, args, () => disk.behave({}))
    console.log(`${variable}: ${Math.round(ms)} ms`)
    expect(ms).toBeWithin(5000, 7500)
    expect(stderr.split("\n")[0]).toMatch(new RegExp(`^serverfs: CONFIGURATION_ERROR: ${variable}: .*/disk/sub. does not answer within 5 s; bring back`))
    expect(status).toBe(2)
  })

  test("does not hold up a revocation, which looks at the state alone", async () => {
    using home = scratch()
    await using disk = await mountHostile(home.at("disk"), { "sub/a.txt": "x" })
    const env = { SERVERFS_STATE_DIR: home.at("state"), WORKDIR_01_ALIAS: "disk", WORKDIR_01_PATH: join(disk.path, "sub") }
    await disk.behave({ hang: ["*"] })
    const { status, stderr, ms } = await start(env, ["token", "revoke", "ci"], () => disk.behave({}))
    expect([status, stderr]).toEqual([1, "serverfs token: there is no token 'ci'\n"])
    expect(ms).toBeLessThan(4000)
  })
})
