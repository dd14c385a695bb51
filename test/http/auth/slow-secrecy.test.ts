/** A real gateway at its most talkative, and every way a token could end up in what it writes down. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openState } from "../../../src/state/state.ts"

const STATIC = "static-token-static-token-static-token"
const GUESS = "guessed-token-guessed-token-guessed-token"

let home: string
let child: Bun.Subprocess<"ignore", "pipe", "pipe">
let stderr: Promise<string>
let base: string
let named: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "secrecy-"))
  mkdirSync(join(home, "served"))
  mkdirSync(join(home, "log"))
  writeFileSync(join(home, "served/a.txt"), "text\n")
  using state = openState(join(home, "state"))
  named = state.tokens.create("named", { mounts: null, workdirs: null, readOnly: false, expires: null }, Date.now()) ?? ""
  child = Bun.spawn([process.execPath, "--no-env-file", join(import.meta.dir, "../../../src/main.ts"), "--dir", `x=${join(home, "served")}:rw`], {
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      SERVERFS_TOKEN: STATIC,
      SERVERFS_STATE_DIR: join(home, "state"),
      SERVERFS_AUDIT_FILE: join(home, "log/audit.jsonl"),
      SERVERFS_LOG_LEVEL: "DEBUG",
      SERVERFS_PORT: "0",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  stderr = new Response(child.stderr).text()
  const { value } = await child.stdout.getReader().read()
  base = /http:\/\/[0-9.:]+/.exec(new TextDecoder().decode(value))?.[0] ?? ""
})

afterAll(async () => {
  child.kill("SIGKILL")
  await child.exited
  rmSync(home, { recursive: true })
})

const call = (path: string, headers: Record<string, string>, body = "{}"): Promise<Response> =>
  fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body })
const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` })

describe("a gateway", () => {
  test("takes a token from the Authorization header alone, and writes none down at any level", async () => {
    const list = "/mcp/list_workdirs"
    for (const token of [STATIC, named]) {
      expect((await call(list, bearer(token))).status).toBe(200)
      expect((await call(`${list}?access_token=${token}`, {})).status).toBe(401)
      expect((await call(`${list}?token=${token}`, { Cookie: `token=${token}`, "X-Api-Key": token })).status).toBe(401)
      expect((await call(list, { Authorization: `Basic ${token}` })).status).toBe(401)
      expect((await call(list, {}, JSON.stringify({ access_token: token }))).status).toBe(401)
      expect((await call(`/mcp/${token}`, bearer(token))).status).toBe(404)
    }
    expect((await call(list, bearer(GUESS))).status).toBe(401)

    using state = openState(join(home, "state"))
    state.tokens.revoke("named")
    expect((await call(list, bearer(named))).status).toBe(401)

    child.kill("SIGTERM")
    expect(await child.exited).toBe(0)
    const written = [
      await stderr,
      readFileSync(join(home, "log/audit.jsonl"), "utf8"),
      ...readdirSync(join(home, "state")).map((name) => readFileSync(join(home, "state", name), "latin1")),
    ].join("\n")
    expect(written).toContain('"principal":"static"')
    expect(written).toContain('"principal":"named"')
    expect(written).toContain('"event":"auth_failed"')
    for (const token of [STATIC, GUESS, named]) expect(written).not.toContain(token)
    // The digest of a static token could be tried against a dictionary: it is no business of a log either.
    for (const encoding of ["hex", "base64", "base64url"] as const) {
      expect(written).not.toContain(createHash("sha256").update(STATIC).digest(encoding))
    }
  }, 20_000)
})
