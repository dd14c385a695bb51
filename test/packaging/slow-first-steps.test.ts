/** What the README promises somebody who has Node and a clone, and no Bun: npx -y bun@1.4.5 run start, and a first call. */
import { describe, expect, test } from "bun:test"
import { copyFileSync, existsSync, symlinkSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { CLIENTS } from "../helpers/clients.ts"
import { until } from "../helpers/product.ts"
import { scratch } from "../helpers/scratch.ts"
import { documented } from "../readme/commands.ts"
import { PROJECT } from "../readme/shell.ts"

/** What the system's own directories have, and Node. No Bun, wherever it is on this machine. */
const TOOLS = ["sh", "env", "git", "curl", "node", "npm", "npx", "readlink", "dirname", "basename", "uname", "ldd", "getconf"]
const INSTALL_MS = 300_000

function git(directory: string, ...words: string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync(["git", "-C", directory, ...words], { stdout: "pipe", stderr: "pipe" })
  if (!success) throw new Error(stderr.toString())
  return stdout.toString().trim()
}

describe("the first steps of the README, in a new clone, with Node alone", () => {
  test("from nothing to a tool call by REST and by a real client, over an upgrade", async () => {
    using home = scratch({ bin: null, clone: null })
    for (const tool of TOOLS) {
      const path = Bun.which(tool)
      if (path !== null) symlinkSync(path, home.at("bin", tool))
    }
    // How this machine reaches its package registry.
    const npmrc = join(homedir(), ".npmrc")
    if (existsSync(npmrc)) copyFileSync(npmrc, home.at(".npmrc"))
    const registry = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(npm_config_|NODE_EXTRA_CA|https?_proxy$|no_proxy$)/i.test(name)))
    const env = { ...registry, PATH: home.at("bin"), HOME: home.path, SERVERFS_PORT: "0" }
    expect(Bun.which("bun", { PATH: env.PATH })).toBeNull()

    const clone = home.at("clone")
    git(home.path, "clone", "--quiet", "--no-local", PROJECT, clone)
    const newest = git(clone, "rev-parse", "HEAD")
    git(clone, "reset", "--quiet", "--hard", "HEAD~1")
    expect(Bun.spawnSync(["sh", "-c", documented("git pull")], { cwd: clone, env }).success).toBe(true)
    expect(git(clone, "rev-parse", "HEAD")).toBe(newest)

    const child = Bun.spawn(["sh", "-c", `exec ${documented("npx -y bun@1.4.5 run start")}`], { cwd: clone, env, stdout: "pipe", stderr: "pipe" })
    let printed = ""
    const reading = (async () => { for await (const chunk of child.stdout) printed += Buffer.from(chunk).toString() })()
    const log = child.stderr.text()
    try {
      await until(INSTALL_MS, () => {
        if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}\n${printed}`)
        return printed.includes("Ctrl-C stops it") ? true : undefined
      })
      const [, url = ""] = /ready on (http:\S+)/.exec(printed) ?? []
      const [token = ""] = /sfs_\S{43}/.exec(printed) ?? []

      // The line that it prints, as it prints it.
      const [curl = ""] = /curl -s .*/.exec(printed) ?? []
      const { stdout } = Bun.spawnSync(["sh", "-c", curl], { env, stdout: "pipe" })
      expect(JSON.parse(stdout.toString())).toEqual({ workdirs: [{ alias: "clone", description: null, access: "read-only" }] })
      for (const [, connect] of CLIENTS) {
        await using client = await connect(`${url}/mcp`, token)
        expect(await client.call("stat_file", { workdir: "clone", path: "README.md" })).toMatchObject({ structuredContent: { type: "file", mime_type: "text/markdown" } })
      }
    } finally {
      // What Ctrl-C in a terminal does: to everything in the foreground. npx passes nothing on.
      for (const pid of gatewaysIn(clone)) process.kill(pid, "SIGINT")
      await Promise.all([child.exited, reading])
    }
    expect(await log).toContain('"event":"shutdown","signal":"SIGINT"')

    // "From then on ./bin/serverfs starts it from any directory": with the Bun that was installed.
    const { stdout: version } = Bun.spawnSync([join(clone, "bin/serverfs"), "--version"], { cwd: home.path, env: { ...env }, stdout: "pipe" })
    expect(version.toString()).toMatch(/^\d+\.\d+\.\d+\n$/)
  }, 2 * INSTALL_MS)
})

/** Processes that run the clone's program: they were started by a child of ours, two generations on. */
function gatewaysIn(clone: string): number[] {
  const { stdout } = Bun.spawnSync(["pgrep", "-x", "-f", `.*bun.*src/main\\.ts`], { stdout: "pipe" })
  return stdout.toString().split("\n").filter((line) => line !== "").map(Number).filter((pid) => {
    const { stdout: cwd } = Bun.spawnSync(["readlink", `/proc/${pid}/cwd`], { stdout: "pipe" })
    return cwd.toString().trim() === clone
  })
}
