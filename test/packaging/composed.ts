/**
 * compose.yaml carried out by hand where no container engine is at hand: its mounts, environment and secrets on the image
 * that the Dockerfile makes, as uid 10001 with a read-only root; then what an operator and an agent would do. Needs root.
 *
 *   bun test/packaging/composed.ts
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect } from "bun:test"
import { compose, type Mount } from "./compose.ts"
import { buildImage } from "./image/build-image.ts"
import { host } from "./image/host.ts"
import { inOwnMounts } from "./image/own-mounts.ts"
import { seal } from "./image/sealed-root.ts"

const PROJECT = join(import.meta.dir, "../..")
const TOKEN = "composed-by-hand-token-0123456789"
const PORT = "18000"
const DROPPED = ["setpriv", "--reuid=10001", "--regid=10001", "--clear-groups", "--bounding-set=-all"]

const sources = (mounts: readonly Mount[]) => Object.fromEntries(mounts.map(({ source, target }) => [target, resolve(PROJECT, source)]))

async function call(path: string, args: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" }
  const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, { method: "POST", headers, body: JSON.stringify(args) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

async function carryOut(): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), "serverfs-composed-"))
  try {
    chmodSync(scratch, 0o755)
    const image = buildImage(scratch)
    const [code, docs, files, secret, state] = ["code", "docs", "files", "token", "state"].map((name) => join(scratch, name)) as [string, string, string, string, string]
    for (const directory of [code, docs, files, state]) mkdirSync(directory)
    writeFileSync(join(docs, "read.me"), "needle\n")
    writeFileSync(secret, `${TOKEN}\n`, { mode: 0o644 })
    host("chown", "-R", "10001:10001", code, docs, files, state)

    const { services, secrets } = compose({
      WORKDIR_01_ALIAS: "code", WORKDIR_01_PATH: code, WORKDIR_01_READ_ONLY: "false",
      WORKDIR_02_ALIAS: "docs", WORKDIR_02_PATH: docs,
      FILES_MCP_ROOT: files, SERVERFS_TOKEN_FILE: secret,
    })
    const service = services["serverfs"]
    if (service === undefined) throw new Error("compose.yaml has no serverfs")
    const mounts = service.volumes.map((mount) => (mount.type === "volume" ? { ...mount, source: state } : mount))
    const writable = sources(mounts.filter(({ read_only }) => read_only !== true))
    const readOnly = { ...sources(mounts.filter(({ read_only }) => read_only === true)), "/run/secrets/serverfs-token": secrets["serverfs-token"]?.file ?? "" }
    using sealed = seal(image, scratch, { writable, readOnly })

    const env = { PATH: process.env["PATH"], ...image.env, ...service.environment }
    const start = (command: readonly string[]) => Bun.spawn([...DROPPED, sealed.enter, ...command, "--port", PORT], { cwd: "/", env, stdout: "pipe", stderr: "pipe" })
    const gateway = start(image.entrypoint)
    const log = gateway.stderr.text()
    try {
      const deadline = Date.now() + 20_000
      while (await start(image.healthcheck).exited !== 0) if (Date.now() > deadline || gateway.exitCode !== null) throw new Error(`it is never healthy\n${await log}`)

      expect((await call("/mcp/list_workdirs", {})).body).toEqual({ workdirs: [
        { alias: "code", description: null, access: "read-write" },
        { alias: "docs", description: null, access: "read-only" },
      ] })
      expect(await call("/mcp/create_text_file", { workdir: "code", path: "a.txt", content: "hello\n" })).toMatchObject({ status: 200 })
      expect(readdirSync(code)).toEqual(["a.txt"])
      expect(await call("/mcp/create_text_file", { workdir: "docs", path: "a.txt", content: "" })).toMatchObject({ status: 403, body: { code: "WORKDIR_READ_ONLY" } })
      expect((await call("/mcp/search_text", { workdir: "docs", query: "needle" })).body).toMatchObject({ returned: 1 })
      expect(await call("/files-mcp/create_file", { path: "b.txt", content: "x" })).toMatchObject({ status: 200 })
      expect(existsSync(join(files, "b.txt"))).toBe(true)
      expect(readdirSync(join(state, "state")).length).toBeGreaterThan(0)
    } finally {
      gateway.kill("SIGTERM")
    }
    expect(await gateway.exited).toBe(0)
    const startup = (await log).split("\n").find((line) => line.includes('"event":"startup"'))
    console.log(`compose.yaml, by hand: healthy, served, stopped\n${startup}`)
    return 0
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exit(await inOwnMounts(import.meta.path, carryOut))
