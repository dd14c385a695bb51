/** The product under `ulimit -n 64`: right answers or RESOURCE_EXHAUSTED, nothing left out in silence, and it gets over it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { descriptorsOf } from "../e2e/proc.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Ask, asking, type Timed } from "./calls.ts"

const LIMIT = 64
const FAN_OUT = 5000
const CALLS = 200
const MAIN = join(import.meta.dir, "../../src/main.ts")

let home: Scratch
let product: Product
let ask: Ask
let askFiles: Ask

beforeAll(async () => {
  home = scratch({ "work/a.txt": "hello\n", "files/a.txt": "hello\n" })
  for (let i = 0; i < FAN_OUT; i++) {
    mkdirSync(home.at("work", `d${i}`))
    writeFileSync(home.at("work", `d${i}`, "f.txt"), `needle ${i}\n`)
  }
  product = await startProduct({
    command: ["sh", "-c", `ulimit -n ${LIMIT} && exec "$@"`, "sh", process.execPath, "--no-env-file", MAIN],
    workdirs: { work: [home.at("work"), "rw"] },
    files: home.at("files"),
    env: { SERVERFS_MAX_LIST_ENTRIES: "10000", SERVERFS_MAX_SEARCH_RESULTS: "10000" },
  })
  ask = asking(product)
  askFiles = asking(product, "/files-mcp")
})

afterAll(async () => {
  await product[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

/** Answers that are no refusal for want of descriptors; anything but those two fails the test. */
function granted(answers: readonly Timed[]): Timed[] {
  const refused = answers.filter(({ code }) => code === "RESOURCE_EXHAUSTED")
  const rest = answers.filter(({ code }) => code !== "RESOURCE_EXHAUSTED")
  expect(rest.filter(({ code }) => code !== null).map(({ text }) => text)).toEqual([])
  console.log(`${rest.length} answered, ${refused.length} RESOURCE_EXHAUSTED, ${descriptorsOf(product.pid)} descriptors`)
  return rest
}

const all = (call: (i: number) => Promise<Timed>) => Promise.all(Array.from({ length: CALLS }, (_, i) => call(i)))

describe("one call at a time", () => {
  test("walks, searches and lists a 5,000-way fan-out completely", async () => {
    expect((await ask("find_files", { workdir: "work", pattern: "*.txt", limit: 10_000 })).value).toMatchObject({ returned: FAN_OUT + 1, truncated: false })
    expect((await ask("search_text", { workdir: "work", query: "needle", limit: 10_000 })).value).toMatchObject({ returned: FAN_OUT, truncated: false, skipped: { unreadable: 0 } })
    expect((await ask("list_directory", { workdir: "work", limit: 10_000 })).value).toMatchObject({ returned: FAN_OUT + 1, has_more: false })
  })
})

describe(`${CALLS} calls at once, each on a connection that its client would keep`, () => {
  test("find_files leaves nothing out", async () => {
    for (const { value } of granted(await all(() => ask("find_files", { workdir: "work", pattern: "*.txt", limit: 10_000 })))) {
      expect(value).toMatchObject({ returned: FAN_OUT + 1, truncated: false })
    }
  })

  test("search_text leaves nothing out", async () => {
    for (const { value } of granted(await all((i) => ask("search_text", { workdir: "work", query: `needle ${i}`, limit: 10_000 })))) {
      expect(value).toMatchObject({ truncated: false, skipped: { unreadable: 0 } })
      expect(value["returned"]).toBeGreaterThan(0)
    }
  })

  test("read_text_file and list_directory are right or refused", async () => {
    for (const { value } of granted(await all((i) => ask("read_text_file", { workdir: "work", path: `d${i}/f.txt` })))) expect(value["content"]).toMatch(/^needle \d+\n$/)
    for (const { value } of granted(await all(() => ask("list_directory", { workdir: "work", limit: 10_000 })))) expect(value["returned"]).toBeGreaterThanOrEqual(FAN_OUT)
  })

  test("a change has happened or it has not, as was said, and no temporary file is left", async () => {
    const answers = await all((i) => ask("create_text_file", { workdir: "work", path: `new-${i}`, content: `${i}` }))
    granted(answers)
    for (const [i, { code }] of answers.entries()) {
      const there = readdirSync(home.at("work")).includes(`new-${i}`)
      expect([i, there]).toEqual([i, code === null])
      if (there) expect(readFileSync(home.at("work", `new-${i}`), "utf8")).toBe(`${i}`)
    }
    const files = await all((i) => askFiles("copy", { src: "a.txt", dst: `copy-${i}` }))
    granted(files)
    expect(readdirSync(home.at("files")).sort()).toEqual(["a.txt", ...files.flatMap(({ code }, i) => (code === null ? [`copy-${i}`] : []))].sort())
    expect(readdirSync(home.at("work")).filter((name) => name.startsWith(".serverfs"))).toEqual([])
  })

  test("leave the gateway as it was", async () => {
    expect((await ask("find_files", { workdir: "work", pattern: "f.txt", limit: 10_000 })).value).toMatchObject({ returned: FAN_OUT, truncated: false })
    expect((await askFiles("move", { src: "a.txt", dst: "b.txt" })).code).toBeNull()
    expect(await (await product.fetch("/healthz")).json()).toEqual({ status: "ok" })
    expect(descriptorsOf(product.pid)).toBeLessThan(LIMIT * 0.75)
    expect(product.log.filter(({ event }) => event === "internal_error")).toEqual([])
  })
})

describe("connections that lie idle", () => {
  test("are not kept until no descriptor is left", async () => {
    const call = `POST /mcp/list_workdirs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${product.token}\r\nContent-Length: 2\r\n\r\n{}`
    const sockets = []
    for (let i = 0; i < 2 * LIMIT; i++) {
      const { promise, resolve } = Promise.withResolvers<void>()
      sockets.push(await Bun.connect({ hostname: "127.0.0.1", port: product.port, socket: { open: (socket) => void socket.write(call), data: () => resolve() } }))
      await promise
    }
    expect(descriptorsOf(product.pid)).toBeLessThan(LIMIT * 0.75)
    expect((await ask("stat_file", { workdir: "work", path: "a.txt" })).code).toBeNull()
    for (const socket of sockets) socket.end()
  })
})
