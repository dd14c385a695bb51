/** The running product behind a proxy that behaves like Cloudflare's tunnel. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { CLIENTS } from "../helpers/clients.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { CHANNELS } from "./channels.ts"
import { TREE, useFiles, useServerfs } from "./every-tool.ts"
import { holdSearch, reaped } from "./held-search.ts"
import { openTunnel, type TunnelOptions } from "./tunnel.ts"

const PUBLIC = "gate.example.net"
/** Stands for the 100 s after which the edge gives up; the product's own limits are scaled down with it. */
const SILENCE_MS = 2500
const SEARCH_SECONDS = 1

let home: Scratch
let product: Product

beforeAll(async () => {
  home = scratch()
  for (const root of ["main", "files"]) for (const [path, text] of Object.entries(TREE)) home.plant({ [`${root}/${path}`]: text })
  home.plant(Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`wide/${i % 100}/${i}.txt`, "hello\n".repeat(50)])))
  product = await startProduct({
    workdirs: { main: [home.at("main"), "rw"], wide: home.at("wide") },
    files: home.at("files"),
    env: { SERVERFS_PUBLIC_URL: `https://${PUBLIC}`, SERVERFS_TRUSTED_PROXIES: "127.0.0.1", SERVERFS_SEARCH_TIMEOUT_SECONDS: String(SEARCH_SECONDS) },
  })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

const open = (options: Partial<TunnelOptions> = {}) => openTunnel({ origin: product.url, publicHost: PUBLIC, silenceMs: SILENCE_MS, ...options })

const TUNNELS: readonly (readonly [string, Partial<TunnelOptions>])[] = [
  ["a named tunnel, which passes the public Host on", {}],
  ["a quick tunnel with --http-host-header, which holds back event streams that answer a GET", { rewrittenHost: "localhost", holdsBack: "get" }],
  ["a tunnel that holds back every event stream", { holdsBack: "all" }],
]

describe.each(TUNNELS)("through %s", (_tunnel, options) => {
  test.each(CLIENTS)("%s uses every tool of both services", async (_client, connect) => {
    await using tunnel = await open(options)
    {
      await using client = await connect(`${tunnel.url}/mcp`, product.token)
      expect(await client.tools()).toHaveLength(11)
      await useServerfs(client, "main")
    }
    await using client = await connect(`${tunnel.url}/files-mcp`, product.token)
    expect(await client.tools()).toHaveLength(9)
    await useFiles(client)
    expect(tunnel.cuts).toBe(0)
  })

  test("calls share kept connections, and their answers are never mixed", async () => {
    await using tunnel = await open(options)
    const at = { url: tunnel.url, mount: "/mcp", token: product.token }
    for (let wave = 0; wave < 5; wave++) {
      const lines = Array.from({ length: 30 }, (_, i) => i + 1)
      const answers = await Promise.all(lines.map((line) => CHANNELS[line % 3]!.call(at, "read_text_file", { workdir: "main", path: "a/long.txt", start_line: line, max_lines: 1 })))
      expect(answers.map(({ value }) => value?.["start_line"])).toEqual(lines)
    }
    expect(tunnel.connections).toBeLessThanOrEqual(30)
  })
})

describe("through a tunnel", () => {
  test.each(CLIENTS)("%s sees progress while it is made", async (_client, connect) => {
    await using tunnel = await open()
    await using client = await connect(`${tunnel.url}/mcp`, product.token)
    const seen: number[] = []
    await client.call("find_files", { workdir: "wide", pattern: "none" }, (done) => seen.push(done))
    expect(seen.length).toBeGreaterThan(0)
  })

  test("a search that gets nowhere answers before the edge gives up", async () => {
    await using tunnel = await open()
    for (const { call } of CHANNELS) {
      const { answer, child } = await holdSearch(product, () => call({ url: tunnel.url, mount: "/mcp", token: product.token }, "search_text", { workdir: "wide", query: "not there" }))
      expect((await answer).code).toBe("SEARCH_TIMEOUT")
      await reaped(product, child)
    }
    expect(tunnel.cuts).toBe(0)
  })

  test("a client that goes away ends its search", async () => {
    await using tunnel = await open()
    const abort = new AbortController()
    const { answer, child } = await holdSearch(product, () => fetch(`${tunnel.url}/mcp/search_text`, {
      method: "POST",
      headers: { authorization: `Bearer ${product.token}` },
      body: JSON.stringify({ workdir: "wide", query: "not there" }),
      signal: abort.signal,
    }))
    const since = performance.now()
    abort.abort()
    await expect(answer).rejects.toThrow()
    await reaped(product, child)
    expect(performance.now() - since).toBeLessThan(SEARCH_SECONDS * 1000)
  })

  test("a file of the largest size that may be written goes through", async () => {
    await using tunnel = await open()
    const at = { url: tunnel.url, mount: "/mcp", token: product.token }
    const content = "\u0001".repeat(1_048_576)
    const { code, value } = await CHANNELS[1]!.call(at, "create_text_file", { workdir: "main", path: "large.txt", content })
    expect([code, value?.["bytes_written"]]).toEqual([null, content.length])
  })

  test("401, 404 and 405 arrive as JSON, with their headers", async () => {
    await using tunnel = await open()
    const ask = (path: string, init?: RequestInit) => fetch(tunnel.url + path, init)
    const refused = await ask("/mcp", { method: "POST", body: "{}" })
    expect([refused.status, refused.headers.get("www-authenticate"), (await refused.json() as { code: string }).code]).toEqual([401, 'Bearer realm="serverfs"', "unauthorized"])
    const unknown = await ask("/.well-known/oauth-protected-resource/mcp")
    expect([unknown.status, unknown.headers.get("content-type")]).toEqual([404, "application/json;charset=utf-8"])
    const stream = await ask("/mcp", { headers: { accept: "text/event-stream", authorization: `Bearer ${product.token}` } })
    expect([stream.status, stream.headers.get("allow")]).toEqual([405, "POST, OPTIONS"])
  })

  test("the log names the client that the edge names, not one that the client made up", async () => {
    await using tunnel = await open({ clientAddress: "203.0.113.99" })
    await fetch(`${tunnel.url}/mcp`, { method: "POST", headers: { authorization: "Bearer wrong", "x-forwarded-for": "198.51.100.1", "cf-connecting-ip": "198.51.100.2" } })
    const line = await product.logged("auth_failed")
    expect(line).toMatchObject({ mount: "/mcp", client: "203.0.113.99" })
    expect(product.written.stderr).not.toContain("198.51.100")
  })

  test("for another public host is a 421, before any credential is looked at", async () => {
    await using tunnel = await open({ publicHost: "other.example.net" })
    const { status, headers } = await fetch(`${tunnel.url}/mcp`, { method: "POST", body: "{}", headers: { authorization: `Bearer ${product.token}` } })
    expect([status, headers.get("www-authenticate")]).toEqual([421, null])
  })
})
