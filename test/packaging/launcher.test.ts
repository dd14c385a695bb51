import { describe, expect, test } from "bun:test"
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { VERSION } from "../../src/version.ts"
import { startProduct } from "../helpers/product.ts"
import { call } from "./call.ts"
import { HostileDirectory } from "./hostile-directory.ts"

const ROOT = join(import.meta.dir, "../..")
const LAUNCHER = join(ROOT, "bin/serverfs")

async function run(command: readonly string[], hostile: HostileDirectory, env: Record<string, string | undefined> = {}) {
  const child = Bun.spawn([...command], { cwd: hostile.path, env: { PATH: hostile.searchPath, HOME: hostile.path, ...env }, stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { stdout, stderr, status }
}

describe("bin/serverfs in a hostile directory", () => {
  const config = `--config=${join(ROOT, "bunfig.toml")}`
  const tsconfig = `--tsconfig-override=${join(ROOT, "tsconfig.json")}`
  /** The flags without the one that is there for the file. */
  const CONTROLS: readonly [string, string[]][] = [
    ["bunfig.toml", ["--no-env-file", tsconfig]],
    ["tsconfig.json", ["--no-env-file", config]],
  ]

  test.each(CONTROLS)("control: without what keeps it out, the planted %s has its way", async (_file, flags) => {
    using hostile = new HostileDirectory()
    await run([process.execPath, ...flags, join(ROOT, "src/main.ts"), "--dir", "a=/usr", "--check"], hostile)
    expect(hostile.ran).toBe(true)
  })

  test("a .env there is not obeyed, even when Bun has read it", async () => {
    using hostile = new HostileDirectory()
    const { stdout } = await run([process.execPath, "--config=/dev/null", tsconfig, join(ROOT, "src/main.ts"), "--dir", "a=/usr", "--check"], hostile)
    expect(stdout).toContain("SERVERFS_PORT = 8000  (default)\n")
    expect(stdout).toContain("SERVERFS_CONFINE = auto  (default)\n")
  })

  test("control: a shell there runs the planted bun", async () => {
    using hostile = new HostileDirectory()
    await run(["/bin/sh", "-c", "bun --version"], hostile)
    expect(hostile.ran).toBe(true)
  })

  test("says what to run where nothing has been installed", async () => {
    using hostile = new HostileDirectory()
    mkdirSync(join(hostile.path, "fresh/bin"), { recursive: true })
    copyFileSync(LAUNCHER, join(hostile.path, "fresh/bin/serverfs"))
    const { stderr, status } = await run(["/bin/sh", join(hostile.path, "fresh/bin/serverfs"), "--version"], hostile, { PATH: dirname(process.execPath) })
    expect([status, stderr]).toEqual([127, expect.stringContaining("npx -y bun@1.4.5 run start")])
    expect(hostile.ran).toBe(false)
  })

  test("runs and obeys nothing of it", async () => {
    using hostile = new HostileDirectory()
    expect(await run([LAUNCHER, "--version"], hostile)).toEqual({ stdout: `${VERSION}\n`, stderr: "", status: 0 })
    const { stdout } = await run([LAUNCHER, "--dir", "a=/usr", "--check"], hostile)
    expect(stdout).toContain("SERVERFS_PORT = 8000  (default)\n")
    expect(stdout).toContain("SERVERFS_CONFINE = auto  (default)\n")
    expect(hostile.ran).toBe(false)
  })

  test("runs nothing of it while it serves that very directory, in its threads neither", async () => {
    using hostile = new HostileDirectory()
    await using product = await startProduct({ command: [LAUNCHER], cwd: hostile.path, workdirs: { here: hostile.path }, env: { PATH: hostile.searchPath } })
    expect(await call(product, "stat_file", { workdir: "here", path: "evil.js" })).toMatchObject({ type: "file" })
    expect(await call(product, "search_text", { workdir: "here", query: "writeFileSync", glob: "evil.js" })).toMatchObject({ returned: 1 })
    expect(hostile.ran).toBe(false)
  })

  test("works through the symbolic link that a package manager makes", async () => {
    using hostile = new HostileDirectory()
    const bin = join(hostile.path, "elsewhere")
    mkdirSync(bin)
    symlinkSync(LAUNCHER, join(bin, "serverfs"))
    expect(await run([join(bin, "serverfs"), "--version"], hostile)).toMatchObject({ stdout: `${VERSION}\n`, status: 0 })
    expect(hostile.ran).toBe(false)
  })

  test("without a Bun of its own takes the first on PATH that is no project's, and says so when there is none", async () => {
    using hostile = new HostileDirectory()
    const copy = join(hostile.path, "copy/bin/serverfs")
    const tools = join(hostile.path, "tools")
    const projects = join(hostile.path, "node_modules/.bin")
    for (const directory of [dirname(copy), join(hostile.path, "copy/node_modules"), tools]) mkdirSync(directory, { recursive: true })
    copyFileSync(LAUNCHER, copy)
    writeFileSync(join(tools, "bun"), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
    const root = join(hostile.path, "copy")
    expect(await run([copy, "a b"], hostile, { PATH: `${projects}:.::${tools}` })).toEqual({
      stdout: `--no-env-file --config=${root}/bunfig.toml --tsconfig-override=${root}/tsconfig.json ${root}/src/main.ts a b\n`, stderr: "", status: 0,
    })
    expect(await run([copy], hostile, { PATH: projects, HOME: undefined })).toMatchObject({ stdout: "", status: 127 })
    expect(hostile.ran).toBe(false)
  })

  test("passes arguments on as they are", async () => {
    using hostile = new HostileDirectory()
    const { stderr, status } = await run([LAUNCHER, "--dir", "a b=$(x) *", "--check"], hostile)
    expect(stderr).toContain("$(x) *")
    expect(status).toBe(2)
  })
})
