import { describe, expect, test } from "bun:test"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { inForce } from "../../src/confine/confinement.ts"
import { mappedCode } from "../../src/confine/facts.ts"
import { MARK, MEMORY_FILE, writeHandover } from "../../src/confine/handover.ts"
import { bindLandlock } from "../../src/confine/landlock.unsafe.ts"
import { makeTree } from "./tree.ts"

const IDENTITY = join(import.meta.dir, "identity-process.ts")

function told(mode: "required" | "off", base = makeTree()): string {
  return JSON.stringify({ config: base.config(mode), ripgrep: null, connectsOut: false })
}

describe("confine()", () => {
  test("keeps pid, arguments, flags, environment, stdin and exit code, and drops inherited descriptors", async () => {
    using tree = makeTree()
    const directory = openSync("/etc", "r")
    const child = Bun.spawn([process.execPath, "--no-env-file", IDENTITY, "--flag", "", "spaced out", "naïve"], {
      env: { TOLD: told("required", tree), KEPT: "a=b=c" },
      stdio: [Buffer.from("from stdin"), "pipe", "inherit", directory],
    })
    closeSync(directory)
    const seen = JSON.parse(await child.stdout.text())
    expect(seen).toMatchObject({
      pid: child.pid,
      firstImage: child.pid,
      argv: ["--flag", "", "spaced out", "naïve"],
      execArgv: ["--no-env-file"],
      marks: [],
      kept: "a=b=c",
      frozen: true,
      stdin: "from stdin",
    })
    expect(seen.descriptors).not.toContain("/etc")
    expect(seen.descriptors.filter((target: string) => target.includes(MEMORY_FILE))).toEqual([])
    expect(await child.exited).toBe(7)
  })

  test("holds /proc/self open, without which its rule is lost when the kernel drops the cache entry", async () => {
    using tree = makeTree()
    const child = Bun.spawnSync([process.execPath, IDENTITY], { env: { TOLD: told("required", tree) } })
    const { pid, descriptors } = JSON.parse(child.stdout.toString())
    expect(descriptors.filter((target: string) => target.startsWith("/proc/"))).toEqual([`/proc/${pid}`])
  })

  test("refuses a mark that is not its own with CONFIGURATION_ERROR", () => {
    using tree = makeTree()
    const child = Bun.spawnSync([process.execPath, IDENTITY], { env: { TOLD: told("off", tree), [MARK]: "0" } })
    expect(child.stderr.toString()).toMatch(/CONFIGURATION_ERROR: SERVERFS_LAUNCH is set/)
  })

  test("refuses a handover when an open outside works: CONFIGURATION_ERROR", () => {
    using tree = makeTree()
    const libc = mappedCode().find((path) => /libc|ld-musl/.test(path)) ?? ""
    const memory = bindLandlock(libc).memoryFile(MEMORY_FILE)
    writeHandover(memory, { launch: JSON.parse(told("required", tree)), confinement: inForce(7), probe: { path: "/", flags: 0 }, self: 0 })
    const child = Bun.spawnSync([process.execPath, IDENTITY], {
      env: { TOLD: told("required", tree), [MARK]: "3" },
      stdio: ["ignore", "pipe", "pipe", memory],
    })
    closeSync(memory)
    expect(child.stderr?.toString()).toMatch(/CONFIGURATION_ERROR: the kernel took the rules but does not confine the process/)
  })
})
