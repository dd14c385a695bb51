/** Thousands of calls, and hundreds of clients that went away, leave nothing behind in the running product. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { connect as connectSocket } from "node:net"
import { type Product, startProduct, until } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type At, CHANNELS, RESOURCE_READERS, REST } from "./channels.ts"
import { childrenOf, descriptorsOf, memoryOf, threadsOf } from "./proc.ts"

const CALLS = 5000
const ABORTED = 500
const IN_FLIGHT = 16
const RSS_GROWTH_MIB = 80

let home: Scratch
let product: Product

beforeAll(async () => {
  home = scratch({ "main/a.txt": "one\ntwo\n", "main/bin": new Uint8Array([0, 1, 2]), "main/link": { link: "a.txt" }, "files/a.txt": "one\n" })
  home.plant(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`main/wide/${i % 50}/${i}.txt`, "hello\n".repeat(50)])))
  product = await startProduct({ workdirs: { main: [home.at("main"), "rw"] }, files: home.at("files"), env: { SERVERFS_SEARCH_TIMEOUT_SECONDS: "5" } })
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

const at = (mount = "/mcp", token: string | null = product.token): At => ({ url: product.url, mount, token })

type Call = (n: number) => Promise<unknown>

const channel = (n: number) => CHANNELS[n % CHANNELS.length]!
const main = (tool: string, args: (n: number) => object): Call => (n) => channel(n).call(at(), tool, { workdir: "main", ...args(n) })
const files = (tool: string, args: (n: number) => object): Call => (n) => channel(n).call(at("/files-mcp"), tool, args(n))

/** Every kind of call, good and bad. */
const MIX: readonly Call[] = [
  (n) => channel(n).call(at(), "list_workdirs", {}),
  (n) => channel(n).tools(at()),
  (n) => channel(n).call(at("/mcp", "wrong"), "list_workdirs", {}),
  (n) => RESOURCE_READERS[n % 2]![1](at(), "serverfs://main/a.txt"),
  main("list_directory", () => ({ path: "wide" })),
  main("find_files", (n) => ({ path: `wide/${n % 50}`, pattern: "*.txt" })),
  main("search_text", (n) => ({ path: `wide/${n % 50}`, query: "hello", limit: 3 })),
  main("search_text", () => ({ query: "(", regex: true })),
  main("read_text_file", () => ({ path: "a.txt" })),
  main("read_text_file", () => ({ path: "bin" })),
  main("read_text_file", () => ({ path: "link" })),
  main("read_text_file", () => ({ path: "../a.txt" })),
  main("stat_file", () => ({ path: "link" })),
  main("stat_file", () => ({ path: "none" })),
  main("no_such_tool", () => ({})),
  main("create_text_file", () => ({ path: "a.txt", content: "x" })),
  main("edit_text_file", () => ({ path: "a.txt", expected_revision: "v1:0000000000000000", edits: [{ old_text: "a", new_text: "b" }] })),
  async (n) => {
    const path = `made-${n}.txt`
    const { value } = await REST.call(at(), "create_text_file", { workdir: "main", path, content: "x" })
    await REST.call(at(), "delete_file", { workdir: "main", path, expected_revision: value?.["revision"] })
  },
  files("list_dir", () => ({ path: "." })),
  files("read_file", () => ({ path: "a.txt" })),
  files("search", () => ({ path: ".", pattern: "*.txt" })),
  files("stat", () => ({ path: "none" })),
  async (n) => {
    await REST.call(at("/files-mcp"), "copy", { src: "a.txt", dst: `copy-${n}.txt` })
    await REST.call(at("/files-mcp"), "delete_file", { path: `copy-${n}.txt` })
  },
]

/** A client that goes away at some moment of its call: before the body is whole, while it runs, or about when it ends. */
async function goAway(n: number): Promise<void> {
  if (n % 5 === 0) {
    const socket = connectSocket(product.port, "127.0.0.1")
    socket.on("error", () => {})
    socket.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${product.token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"jsonrpc"`)
    await Bun.sleep(n % 20)
    socket.destroy()
    return
  }
  const tool = ["search_text", "find_files", "list_directory", "read_text_file"][n % 4]!
  const args = { workdir: "main", path: n % 4 === 3 ? "a.txt" : "wide", query: "not there", pattern: "none" }
  const streamed = { jsonrpc: "2.0", id: n, method: "tools/call", params: { name: tool, arguments: args, _meta: { progressToken: n } } }
  const [path, body] = n % 2 === 0 ? [`/mcp/${tool}`, args] : ["/mcp", streamed]
  const signal = AbortSignal.timeout(n % 60)
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  await product.fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal }).then((answer) => answer.text()).catch(() => {})
}

async function run(count: number, one: Call): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) await one(next++)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

interface Held {
  readonly descriptors: number
  readonly threads: number
  readonly children: number
}

const held = (): Held => ({ descriptors: descriptorsOf(product.pid), threads: threadsOf(product.pid), children: childrenOf(product.pid).length })

/** What it holds once it has come to rest: the same for half a second. Idle connections of this process are closed by then. */
async function atRest(): Promise<Held> {
  let before = ""
  return until(30_000, async () => {
    await Bun.sleep(500)
    const now = held()
    const same = JSON.stringify(now) === before
    before = JSON.stringify(now)
    return same ? now : undefined
  })
}

test(`${CALLS} mixed calls and ${ABORTED} aborted ones leave no descriptor, thread or child, and no memory`, async () => {
  const mixed: Call = (n) => MIX[n % MIX.length]!(n)
  await run(1000, mixed)
  const before = await atRest()
  const rss = memoryOf(product.pid)

  await run(CALLS, mixed)
  await run(ABORTED, goAway)
  await run(CALLS / 10, mixed)

  const after = await atRest()
  console.log({ before, after, "MiB before": Math.round(rss), "MiB after": Math.round(memoryOf(product.pid)) })
  expect(after.children).toBe(0)
  expect(after.threads).toBeLessThanOrEqual(before.threads)
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + IN_FLIGHT)
  expect(memoryOf(product.pid) - rss).toBeLessThan(RSS_GROWTH_MIB)
  expect((await REST.call(at(), "list_workdirs", {})).code).toBeNull()
  expect(product.log.filter(({ event }) => event === "internal_error")).toEqual([])
}, 300_000)
