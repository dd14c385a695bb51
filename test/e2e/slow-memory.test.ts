/** Files and directories far larger than memory should be asked for, read in pages: the running product stays small. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { closeSync, mkdirSync, openSync, truncateSync, writeSync } from "node:fs"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Answer, RESOURCE_READERS, REST } from "./channels.ts"
import { peakOf, resetPeak } from "./proc.ts"

const GIB = 2 ** 30
const SIZE = 2 * GIB
const ENTRIES = 100_000
const PEAK_MIB = 300

let home: Scratch
let product: Product
let highest = 0

beforeAll(async () => {
  home = scratch({ "big/start": null })
  writeBig("big/one-line.txt", "x".repeat(2 ** 20))
  writeBig("big/lines.txt", `${"line of text ".repeat(9)}\n`.repeat(2 ** 13))
  sparse("big/sparse.txt")
  mkdirSync(home.at("wide"))
  for (let i = 0; i < ENTRIES; i++) closeSync(openSync(home.at("wide", `entry-${String(i).padStart(6, "0")}.txt`), "w"))
  product = await startProduct({ workdirs: { big: home.at("big"), wide: home.at("wide") } })
}, 180_000)

afterAll(async () => {
  console.log(`highest peak: ${Math.round(highest)} MiB`)
  await product[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

/** 2 GiB of this piece. */
function writeBig(name: string, piece: string): void {
  const fd = openSync(home.at(name), "w")
  const bytes = Buffer.from(piece)
  for (let written = 0; written < SIZE; written += bytes.length) writeSync(fd, bytes)
  closeSync(fd)
}

/** Text, 2 GiB of nothing, text. */
function sparse(name: string): void {
  home.plant({ [name]: "head\n".repeat(10_000) })
  truncateSync(home.at(name), SIZE)
  const fd = openSync(home.at(name), "a")
  writeSync(fd, "\n" + "tail\n".repeat(10_000))
  closeSync(fd)
}

const at = () => ({ url: product.url, mount: "/mcp", token: product.token })
const call = (tool: string, args: object): Promise<Answer> => REST.call(at(), tool, args)

/** Runs with the peak watched. */
async function small<T>(work: () => Promise<T>): Promise<T> {
  resetPeak(product.pid)
  const result = await work()
  const peak = peakOf(product.pid)
  highest = Math.max(highest, peak)
  expect(peak).toBeLessThan(PEAK_MIB)
  return result
}

const read = (path: string, args: object = {}) => small(() => call("read_text_file", { workdir: "big", path, ...args }))

describe("a file of 2 GiB", () => {
  test("in one line: LINE_TOO_LARGE at its start and its end, and byte windows anywhere", async () => {
    expect((await read("one-line.txt")).code).toBe("LINE_TOO_LARGE")
    expect((await read("one-line.txt", { tail_lines: 1 })).code).toBe("LINE_TOO_LARGE")
    for (const start of [0, GIB + 1, SIZE - 10]) {
      const { value } = await read("one-line.txt", { start_byte: start })
      expect(value).toMatchObject({ start_byte: start, bytes_returned: Math.min(524_288, SIZE - start) })
    }
    expect((await read("one-line.txt", { start_line: 2 })).value).toMatchObject({ content: "", has_more: false })
  })

  test("of lines: the first page, one far in, its neighbour, and the last", async () => {
    const line = "line of text ".repeat(9)
    const lines = SIZE / (line.length + 1)
    for (const start of [1, 10_000_000, 10_000_500]) expect((await read("lines.txt", { start_line: start, max_lines: 500 })).value).toMatchObject({ start_line: start, end_line: start + 499, has_more: true })
    expect((await read("lines.txt", { tail_lines: 2 })).value).toMatchObject({ content: expect.stringMatching(/\n$/), has_more: false })
    expect((await read("lines.txt", { start_line: Math.floor(lines) + 10 })).value).toMatchObject({ content: expect.any(String) })
  })

  test("that is mostly a hole: text at both ends is text, the hole is binary", async () => {
    expect((await read("sparse.txt", { max_lines: 500 })).value).toMatchObject({ start_line: 1, end_line: 500 })
    expect((await read("sparse.txt", { tail_lines: 3 })).value).toMatchObject({ content: "tail\ntail\ntail\n" })
    expect((await read("sparse.txt", { start_byte: GIB })).code).toBe("BINARY_FILE")
    expect((await read("sparse.txt", { start_line: 10_001 })).code).toMatch(/^(BINARY_FILE|LINE_TOO_LARGE)$/)
  })

  test("is no resource, and no search looks into it", async () => {
    const [, resource] = RESOURCE_READERS[0]!
    expect((await small(() => resource(at(), "serverfs://big/lines.txt"))).code).toBe("RESOURCE_TOO_LARGE")
    expect((await small(() => resource(at(), "serverfs://big/one-line.txt"))).code).toBe("RESOURCE_TOO_LARGE")
    expect((await small(() => call("search_text", { workdir: "big", query: "line of text" }))).value).toMatchObject({ returned: 0, truncated: false })
  })

  test("many at a time cost no more than one", async () => {
    await small(() => Promise.all(Array.from({ length: 64 }, (_, i) => call("read_text_file", { workdir: "big", path: "one-line.txt", start_byte: i * 2 ** 20 }))))
  })
})

describe(`a directory of ${ENTRIES} entries`, () => {
  test("pages to its end, every entry once and in order", async () => {
    const names = await small(async () => {
      const seen: string[] = []
      for (let offset = 0; ; offset += 500) {
        const { value } = await call("list_directory", { workdir: "wide", offset, limit: 500 })
        if (value === null) throw new Error(`no page at ${offset}`)
        seen.push(...(value["entries"] as { name: string }[]).map(({ name }) => name))
        if (value["has_more"] !== true) return seen
      }
    })
    expect(names).toEqual(Array.from({ length: ENTRIES }, (_, i) => `entry-${String(i).padStart(6, "0")}.txt`))
  }, 120_000)

  test("is walked and searched", async () => {
    expect((await small(() => call("find_files", { workdir: "wide", pattern: "*-099999.txt" }))).value).toEqual({ matches: [{ path: "entry-099999.txt" }], returned: 1, truncated: false })
    expect((await small(() => call("search_text", { workdir: "wide", query: "x" }))).value).toMatchObject({ returned: 0 })
  })
})
