/** `serverfs connect`: what it prints is taken at its word by what will read it: JSON, TOML, a shell, the gateway itself. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync } from "node:fs"
import { CLIENTS, type ClientName } from "../../src/cli/commands/clients.ts"
import { run } from "../../src/cli/commands/connect.ts"
import { VARIABLES } from "../../src/config/variables/variables.ts"
import { type Product, runCommand, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"

const PUBLIC = "https://gate.example.net"
const FILES = { root: "/srv", configuredRoot: "/srv", maxBytes: 1, maxEntries: 1, readOnly: false, extraDenyGlobs: [] }
const LOCAL = { publicUrl: null, host: "127.0.0.1", port: 8123, files: null, oauth: "auto" } as const

function connectWith(argv: readonly string[], config: object = {}) {
  const out = { stdout: "", stderr: "" }
  const into = (stream: "stdout" | "stderr") => ({ write: (text: string) => (out[stream] += text) })
  const status = run(argv, { config: { ...LOCAL, ...config }, stdout: into("stdout"), stderr: into("stderr") })
  return { status, ...out }
}

const connect = (client: string, config: object = {}) => connectWith([client], config)

/** What is to be pasted: all but the title. */
const snippet = (client: ClientName, config: object = {}): string => connect(client, config).stdout.split("\n").slice(2).join("\n").trim()

/** The words that a shell makes of these lines, which run a program of this name. */
function wordsOf(program: string, lines: string): string[] {
  using bin = scratch({ [program]: '#!/bin/sh\nprintf "%s\\n" "$@"\n' })
  chmodSync(bin.at(program), 0o755)
  const { stdout } = Bun.spawnSync(["sh", "-c", lines], { env: { PATH: `${bin.path}:${process.env["PATH"]}` } })
  return stdout.toString().trimEnd().split("\n")
}

const entries = (base: string) => [["serverfs", `${base}/mcp`], ["serverfs-files", `${base}/files-mcp`]] as const
const BEARER = { Authorization: "Bearer YOUR_TOKEN" }

interface Shape {
  readonly key: string
  readonly entry: (url: string) => object
}

const JSON_CLIENTS: Readonly<Partial<Record<ClientName, Shape>>> = {
  cursor: { key: "mcpServers", entry: (url) => ({ url, headers: BEARER }) },
  vscode: { key: "servers", entry: (url) => ({ type: "http", url, headers: BEARER }) },
  gemini: { key: "mcpServers", entry: (url) => ({ httpUrl: url, headers: BEARER }) },
  "mcp-remote": {
    key: "mcpServers",
    entry: (url) => ({ command: "npx", args: ["-y", "mcp-remote", url, "--header", "Authorization:${AUTH_HEADER}"], env: { AUTH_HEADER: "Bearer YOUR_TOKEN" } }),
  },
}

describe.each([["the local URL", "http://127.0.0.1:8123", { files: FILES }], ["the public URL", PUBLIC, { files: FILES, publicUrl: PUBLIC }]])("connect with %s", (_which, base, config) => {
  test.each(Object.entries(JSON_CLIENTS))("%s: the JSON that its file wants, one entry a mount", (client, { key, entry }) => {
    expect(JSON.parse(snippet(client as ClientName, config))).toEqual({ [key]: Object.fromEntries(entries(base).map(([name, url]) => [name, entry(url)])) })
  })

  test("codex: TOML, with the token in an environment variable", () => {
    const servers = Object.fromEntries(entries(base).map(([name, url]) => [name, { url, bearer_token_env_var: "MCP_SERVERFS_TOKEN" }]))
    expect(Bun.TOML.parse(snippet("codex", config))).toEqual({ mcp_servers: servers })
  })

  test("claude-code: shell commands whose words are right", () => {
    expect(wordsOf("claude", snippet("claude-code", config))).toEqual(entries(base).flatMap(([name, url]) => ["mcp", "add", "--scope", "user", "--transport", "http", name, url, "--header", "Authorization: Bearer YOUR_TOKEN"]))
  })

  test.each(["chatgpt", "claude"] as const)("%s: the bare URLs", (client) => {
    expect(snippet(client, config).split("\n").map((line) => line.trim())).toEqual(entries(base).map(([, url]) => url))
  })

  test("openapi: the documents' URLs", () => {
    expect(snippet("openapi", config).split("\n").map((line) => line.trim())).toEqual(entries(base).map(([, url]) => `${url}/openapi.json`))
  })
})

describe("connect", () => {
  test("leaves Files out while it is not mounted", () => {
    for (const client of Object.keys(CLIENTS) as ClientName[]) expect(connect(client).stdout).not.toContain("files-mcp")
  })

  test("has no client keep its token in a variable that the gateway reads, as a token of its own", () => {
    const named = (Object.keys(CLIENTS) as ClientName[]).flatMap((client) => connect(client).stdout.match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? [])
    expect(named).toContain("MCP_SERVERFS_TOKEN")
    expect(named.filter((name) => name.includes("TOKEN") && Object.hasOwn(VARIABLES, name))).toEqual([])
  })

  test.each([["0.0.0.0", "http://127.0.0.1:8123"], ["::", "http://[::1]:8123"], ["::1", "http://[::1]:8123"], ["192.0.2.7", "http://192.0.2.7:8123"]])("names, for a gateway that listens on %s, %s", (host, base) => {
    expect(snippet("claude", { host })).toBe(`${base}/mcp`)
  })

  test.each<[string, object, string[]]>([
    ["is all that an https URL and OAuth leave to be done", { publicUrl: PUBLIC }, []],
    ["no public URL", {}, ["set SERVERFS_PUBLIC_URL"]],
    ["a public URL that is not https", { publicUrl: "http://gate.example.net" }, ["set SERVERFS_PUBLIC_URL"]],
    ["OAuth switched off", { publicUrl: PUBLIC, oauth: "off" }, ["remove SERVERFS_OAUTH=off"]],
  ])("tells ChatGPT and Claude what is missing: %s", (_what, config, steps) => {
    for (const client of ["chatgpt", "claude"]) {
      const { status, stderr } = connect(client, config)
      expect([status, stderr.split("\n").filter((line) => line.startsWith("Not ready yet")).length]).toEqual([0, steps.length])
      for (const step of steps) expect(stderr).toContain(step)
    }
  })

  test("says of port 0 that another stands for it", () => {
    expect(connect("curl", { port: 0 }).stderr).toContain("any free port")
    expect(connect("curl", { port: 0, publicUrl: PUBLIC }).stderr).toBe("")
  })

  test.each([
    [["netscape"], "there is no client 'netscape'"],
    [["cursor", "curl"], "one client at a time"],
    [[], "name a client"],
    [["\u001b[2K"], "there is no client '\\u001b[2K'"],
  ])("refuses %j with status 2, and names the clients that there are", (argv, fault) => {
    const { status, stdout, stderr } = connectWith(argv)
    expect([status, stdout]).toEqual([2, ""])
    expect(stderr).toStartWith(`serverfs connect: ${fault}\n\nUsage: serverfs connect CLIENT\n`)
    expect(stderr).toContain(Object.keys(CLIENTS).join(", "))
  })
})

describe("with the running product", () => {
  let tree: Scratch
  let product: Product

  beforeAll(async () => {
    tree = scratch({ "a.txt": "x\n" })
    product = await startProduct({ workdirs: { main: tree.path } })
  })

  afterAll(async () => {
    await product[Symbol.asyncDispose]()
    tree[Symbol.dispose]()
  })

  /** The real command, in the gateway's own environment. */
  async function printed(client: ClientName): Promise<string> {
    const env = { HOME: tree.path, SERVERFS_PORT: String(product.port), SERVERFS_STATE_DIR: product.stateDir, SERVERFS_TOKEN: product.token, WORKDIR_01_ALIAS: "main", WORKDIR_01_PATH: tree.path }
    const { status, stdout, stderr } = await runCommand(["connect", client], env)
    expect([status, stdout.includes(product.token) || stderr.includes(product.token)]).toEqual([0, false])
    return stdout.split("\n").slice(2).join("\n").trim()
  }

  test("the curl line works, with the token in the place that is kept for it", async () => {
    const words = wordsOf("curl", (await printed("curl")).replace("YOUR_TOKEN", product.token))
    expect(words).toEqual(["-s", `${product.url}/mcp/list_workdirs`, "-H", expect.any(String), "-H", expect.any(String), "-d", "{}"])
    const headers = [words[3], words[5]].map((line) => line?.split(": ") as [string, string])
    const answer = await fetch(words[1] ?? "", { method: "POST", headers, body: words[7] ?? "" })
    expect(await answer.json()).toEqual({ workdirs: [{ alias: "main", description: null, access: "read-only" }] })
  })

  test("the OpenAPI URL leads to a document, with the token and the server that the title speaks of", async () => {
    const url = await printed("openapi")
    expect((await fetch(url)).status).toBe(401)
    const response = await fetch(url, { headers: { authorization: `Bearer ${product.token}` } })
    expect(await response.json()).toMatchObject({ openapi: "3.1.0", servers: [{ url: "/" }] })
    expect(CLIENTS.openapi.title).toContain("fetch this document with the token")
    expect(CLIENTS.openapi.title).toContain("its server is '/'")
  })
})
