import { beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { VERSION } from "../../src/version.ts"
import { startProduct } from "../helpers/product.ts"
import { documented } from "../readme/commands.ts"
import { openShell } from "../readme/shell.ts"
import { call } from "./call.ts"
import { HostileDirectory } from "./hostile-directory.ts"

const ROOT = join(import.meta.dir, "../..")
const BINARY = join(ROOT, "dist/serverfs")

/** In a hostile directory that is home as well, with its programs first on PATH. */
async function run(args: readonly string[], hostile: HostileDirectory) {
  const child = Bun.spawn([BINARY, ...args], { cwd: hostile.path, env: { PATH: hostile.searchPath, HOME: hostile.path }, stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { stdout, stderr, status }
}

describe("the single-file program", () => {
  beforeAll(() => {
    using shell = openShell()
    const { success, stderr } = Bun.spawnSync(["sh", "-c", documented("npx -y bun@1.4.5 run build")], { cwd: ROOT, env: { ...process.env, PATH: shell.env.PATH }, stderr: "pipe" })
    if (!success) throw new Error(stderr.toString())
  })

  test("runs and obeys nothing of a hostile directory", async () => {
    using hostile = new HostileDirectory()
    expect(await run(["--version"], hostile)).toEqual({ stdout: `${VERSION}\n`, stderr: "", status: 0 })
    const { stdout } = await run(["--dir", "a=/usr", "--check"], hostile)
    expect(stdout).toContain("SERVERFS_PORT = 8000  (default)\n")
    expect(stdout).toContain("SERVERFS_CONFINE = auto  (default)\n")
    expect(hostile.ran).toBe(false)
  })

  test("serves it, searches with the ripgrep that it carries, is healthy, and stops with 0", async () => {
    using hostile = new HostileDirectory()
    await using product = await startProduct({ command: [BINARY], cwd: hostile.path, workdirs: { here: hostile.path }, env: { PATH: hostile.searchPath } })
    expect(await call(product, "stat_file", { workdir: "here", path: "evil.js" })).toMatchObject({ type: "file" })
    expect(await call(product, "search_text", { workdir: "here", query: "writeFileSync", glob: "evil.js" })).toMatchObject({ returned: 1 })
    expect((await run(["healthcheck", "--port", String(product.port)], hostile)).status).toBe(0)
    expect(await product.stop()).toBe(0)
    expect(hostile.ran).toBe(false)
  })

  test("doctor finds nothing wrong with it", async () => {
    using hostile = new HostileDirectory()
    const { stdout, status } = await run(["doctor", "--dir", `here=${hostile.path}`, "--port", "0"], hostile)
    expect(stdout).toContain("ok        ripgrep: runs, version 15")
    expect(stdout).toContain("ways out were tried and are closed")
    expect(status).toBeLessThan(2)
    expect(hostile.ran).toBe(false)
  })
})
