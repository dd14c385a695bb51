/** The README's commands, taken from it and carried out: with addresses, tokens and directories of this test in place of its examples. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { copyFileSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { COMMANDS } from "../../src/cli/command-table.ts"
import { CLIENTS } from "../../src/cli/commands/clients.ts"
import manifest from "../../package.json" with { type: "json" }
import { openState } from "../../src/state/state.ts"
import { type Product, startProduct, until } from "../helpers/product.ts"
import { compose } from "../packaging/compose.ts"
import { BINDING, TERMS } from "../state/grant-terms.ts"
import { documented } from "./commands.ts"
import { openShell, PROJECT, type Shell } from "./shell.ts"

let shell: Shell
let product: Product
/** What the gateway was started with, for the commands about it. */
let given: Record<string, string>

beforeAll(async () => {
  shell = openShell()
  shell.home.plant({ "docs/a.txt": "one\n", work: null, log: null })
  const env = { SERVERFS_METRICS: "on", SERVERFS_AUDIT_FILE: shell.home.at("log/audit.jsonl") }
  const stateDir = shell.home.at("state/serverfs")
  product = await startProduct({ workdirs: { docs: shell.home.at("docs"), work: [shell.home.at("work"), "rw"] }, env, stateDir })
  given = {
    ...env, WORKDIR_01_ALIAS: "docs", WORKDIR_01_PATH: shell.home.at("docs"), WORKDIR_02_ALIAS: "work", WORKDIR_02_PATH: shell.home.at("work"), WORKDIR_02_READ_ONLY: "false",
    SERVERFS_PORT: String(product.port),
  }
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  shell[Symbol.dispose]()
})

const at = (path: string, token: string, args: object = {}) => product.fetch(path, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: JSON.stringify(args) })
const status = async (path: string, token: string) => (await at(path, token)).status

describe("the README's first steps", () => {
  test("named directories: one to read, one to change", async () => {
    using own = openShell()
    own.home.plant({ "srv/docs": null, "srv/work": null })
    const line = documented("./bin/serverfs --dir").replaceAll("=/srv/", `=${own.home.at("srv")}/`)
    await using served = await startProduct({ command: ["sh", "-c", `exec ${line}`], cwd: PROJECT })
    const answer = await served.fetch("/mcp/list_workdirs", { method: "POST", body: "{}" })
    expect(await answer.json()).toEqual({ workdirs: [{ alias: "docs", description: null, access: "read-only" }, { alias: "work", description: null, access: "read-write" }] })
  })

  test("curl", async () => {
    const line = documented("curl -s").replace("http://127.0.0.1:8000", product.url).replace("YOUR_TOKEN", product.token)
    expect(JSON.parse((await shell.run(line)).stdout)).toMatchObject({ workdirs: [{ alias: "docs" }, { alias: "work" }] })
  })

  test.each(Object.keys(CLIENTS))("connect %s", async (client) => {
    const line = documented("serverfs connect CLIENT").replace("CLIENT", client)
    expect(await shell.run(line, given)).toMatchObject({ status: 0, stdout: expect.stringContaining("127.0.0.1") })
  })

  test("the secrets and settings that compose.yaml reads", async () => {
    copyFileSync(join(PROJECT, ".env.example"), shell.home.at("here/.env.example"))
    for (const line of [documented("mkdir -m 700 secrets"), documented("cp .env.example .env")]) expect(await shell.run(line)).toMatchObject({ status: 0, stderr: "" })
    const token = shell.home.at("here", compose().secrets["serverfs-token"]?.file ?? "")
    expect(readFileSync(token, "utf8")).toMatch(/^[0-9a-f]{64}\n$/)
    // The directory is its owner's; the file that is bound out of it is read by the container's user.
    expect([statSync(join(token, "..")).mode & 0o777, statSync(token).mode & 0o777]).toEqual([0o700, 0o644])
    const { stdout } = await shell.run("serverfs --env-file .env --check", { ...given, SERVERFS_TOKEN_FILE: token })
    expect(stdout).toContain("\nTokens: the static one")
  })
})

describe("the README's commands", () => {
  test.each(Object.keys(COMMANDS))("serverfs %s says what it is for", async (name) => {
    expect(await shell.run(`${documented(`serverfs ${name}`)} --help`)).toMatchObject({ status: 0, stderr: "", stdout: expect.stringMatching(/^Usage:/m) })
  })

  test("--check", async () => {
    const { status, stdout } = await shell.run(documented("serverfs --check"), given)
    expect([status, stdout.includes(`work  read-write  ${shell.home.at("work")}\n`)]).toEqual([0, true])
  })

  test("--version", async () => {
    expect(await shell.run(documented("serverfs --version"))).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" })
  })

  test("doctor", async () => {
    const { status, stdout } = await shell.run(documented("serverfs doctor"), { ...given, SERVERFS_PORT: "0" })
    expect([stdout.includes("configuration"), status < 2]).toEqual([true, true])
  })

  test("a token for reading one workdir: made, listed, revoked, and heeded at once", async () => {
    const token = (await shell.run(documented("serverfs token create --name ci"), given)).stdout.trim()
    expect(await (await at("/mcp/list_workdirs", token)).json()).toEqual({ workdirs: [{ alias: "docs", description: null, access: "read-only" }] })
    expect((await shell.run(documented("serverfs token list"))).stdout).toMatch(/^ci +read-only +\/mcp +docs /m)
    expect((await shell.run(documented("serverfs token revoke ci"))).status).toBe(0)
    expect(await status("/mcp/list_workdirs", token)).toBe(401)
  })

  test("a token for a client, and one for the scraper", async () => {
    const client = (await shell.run(documented("serverfs token create --name NAME"), given)).stdout.trim()
    expect(await status("/mcp/list_workdirs", client)).toBe(200)
    const scraper = (await shell.run(documented("serverfs token create --name scraper"), given)).stdout.trim()
    expect((await product.fetch("/metrics", { headers: { authorization: `Bearer ${scraper}` } })).status).toBe(200)
    expect(await status("/mcp/list_workdirs", scraper)).toBe(403)
  })

  test("a token of the service, which it makes with the service's state and settings", async () => {
    shell.home.plant({ "etc/serverfs.env": "FILES_MCP_READ_ONLY=true\n" })
    const line = documented("sudo -u serverfs").replace("sudo -u serverfs ", "").replace("/usr/local/bin/", "")
      .replace("/var/lib/serverfs", shell.home.at("state/serverfs")).replace("/etc/serverfs/", shell.home.at("etc/"))
    const token = (await shell.run(line, { SERVERFS_STATE_DIR: shell.home.at("elsewhere") })).stdout.trim()
    expect(await status("/mcp/list_workdirs", token)).toBe(200)
    expect((await shell.run(documented("serverfs token revoke ci"))).status).toBe(0)
  })

  test("the operator secret, which turns OAuth on", async () => {
    expect((await shell.run(`echo correct horse battery | ${documented("serverfs operator-secret")}`)).status).toBe(0)
    const { stdout } = await shell.run(documented("serverfs --check"), { ...given, SERVERFS_PUBLIC_URL: "https://files.example.org" })
    expect(stdout).toContain("\nOAuth: on\n")
  })

  test("grants: listed and revoked", async () => {
    using state = openState(shell.home.at("state/serverfs"))
    const { id } = state.codes.issue({ ...TERMS, workdirs: ["docs"] }, BINDING, Date.now()).grant
    expect((await shell.run(documented("serverfs grants list"))).stdout).toContain(id)
    expect((await shell.run(documented("serverfs grants revoke ID").replace("ID", id))).status).toBe(0)
    expect((await shell.run(documented("serverfs grants list"))).stderr).toBe("Nothing is granted to any OAuth client.\n")
  })

  test("audit: followed, for the edits that lost a race", async () => {
    const line = documented("serverfs audit --follow")
    const child = Bun.spawn(["sh", "-c", `exec ${line}`], { env: { ...shell.env, ...given }, stdout: "pipe", stderr: "ignore" })
    let printed = ""
    const reading = (async () => { for await (const chunk of child.stdout) printed += Buffer.from(chunk).toString() })()
    await Bun.write(shell.home.at("work/a.txt"), "one\n")
    const edit = { workdir: "work", path: "a.txt", expected_revision: "v1:0000000000000000", edits: [{ old_text: "one", new_text: "two" }] }
    expect((await at("/mcp/edit_text_file", product.token, edit)).status).toBe(409)
    await until(15_000, () => (printed.includes("\n") ? true : undefined))
    child.kill("SIGINT")
    await reading
    await child.exited
    expect(child.signalCode).toBe("SIGINT")
    expect(JSON.parse(printed)).toMatchObject({ event: "tool_call", tool: "edit_text_file", workdir: "work", error_code: "REVISION_CONFLICT" })
  })
})
