/** Trees and questions that nobody sane would make: every answer in bounded time and memory, right or honestly `truncated`. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync, writeSync } from "node:fs"
import { AT, O } from "../../src/fs/flags.ts"
import { close, mkdirat, openat } from "../../src/fs/libc.unsafe.ts"
import { peakOf, resetPeak } from "../e2e/proc.ts"
import { type Product, startProduct } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Ask, asking, type Timed } from "./calls.ts"

const LEVELS = 4096
const LINKS = 10_000
const ENTRIES = 1_000_000
const LINE_BYTES = 200 * 2 ** 20
const PEAK_MIB = 500
/** The longest are copying and removing the deep tree and removing a million entries, each some 10 s on an idle machine. */
const LONGEST_MS = 100_000

let home: Scratch

beforeAll(() => {
  home = scratch({ "work/text/a.txt": `${"x".repeat(5000)}\n`.repeat(2000), "files/wide": null })
  for (const root of ["work", "files"]) {
    makeDeep(home.at(root, "deep"))
    makeLinks(home.at(root, "links"))
  }
  makeLine(home.at("work/text/line.txt"))
  for (let i = 0; i < ENTRIES; i++) closeSync(openSync(home.at("files/wide", `e${i}`), "w"))
}, 300_000)

// Not rmSync(): it goes down the deep tree by path, for minutes.
afterAll(() => void Bun.spawnSync(["rm", "-rf", home.path]), 300_000)

/** A directory in a directory in a directory …, each with a file; further down than any path reaches. */
function makeDeep(top: string): void {
  mkdirSync(top)
  let dir = openat(AT.FDCWD, top, O.RDONLY | O.DIRECTORY)
  for (let level = 0; level < LEVELS; level++) {
    close(openat(dir, "f", O.WRONLY | O.CREAT, 0o644))
    mkdirat(dir, "d", 0o755)
    const next = openat(dir, "d", O.RDONLY | O.DIRECTORY)
    close(dir)
    dir = next
  }
  close(dir)
}

/** Links to a file, to a directory, to nothing and out of the root, and a chain of them that is longer than is ever followed. */
function makeLinks(dir: string): void {
  mkdirSync(dir)
  writeFileSync(`${dir}/0-file`, "needle\n")
  const targets = ["0-file", "../deep", "nowhere", "/etc/passwd"]
  for (let i = 0; i < LINKS; i++) symlinkSync(i % 5 === 4 ? `link-${i - 5}` : targets[i % 5] ?? "", `${dir}/link-${i}`)
}

/** One line of 200 MB with the word `needle` at its end. */
function makeLine(path: string): void {
  const fd = openSync(path, "w")
  const piece = Buffer.alloc(2 ** 20, "y")
  for (let written = 0; written < LINE_BYTES; written += piece.length) writeSync(fd, piece)
  writeSync(fd, "needle")
  closeSync(fd)
}

/** Prints what each call took; fails the one that took too much. */
function watched(product: Product, ask: Ask): Ask {
  return async (tool, args) => {
    resetPeak(product.pid)
    const answer = await ask(tool, args)
    const peak = Math.round(peakOf(product.pid))
    console.log(`${tool} ${JSON.stringify(args).slice(0, 90)}: ${answer.code ?? "ok"}, ${Math.round(answer.ms)} ms, peak ${peak} MiB`)
    expect(answer.ms).toBeLessThan(LONGEST_MS)
    expect(peak).toBeLessThan(PEAK_MIB)
    return answer
  }
}

const isOk = ({ code, value }: Timed): Record<string, any> => {
  expect(code).toBeNull()
  return value
}

describe("ServerFS", () => {
  let product: Product
  let ask: Ask

  beforeAll(async () => {
    product = await startProduct({ workdirs: { work: [home.at("work"), "rw"], wide: home.at("files/wide") }, env: { SERVERFS_SEARCH_MAX_FILE_BYTES: String(2 * LINE_BYTES) } })
    ask = watched(product, asking(product))
  })

  afterAll(() => product[Symbol.asyncDispose]())

  test.each(["(x+x+)+y$", "(x|x)*z", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?:x{1,100}){1,10}z", ".*.*.*.*=.*"])("the regular expression %s that would never end elsewhere does", async (query) => {
    const { code, ms } = await ask("search_text", { workdir: "work", path: "text", query, regex: true })
    expect([null, "SEARCH_TIMEOUT"]).toContain(code)
    expect(ms).toBeLessThan(17_000)
  })

  test.each([["(((x{1000}){1000}){1000})"], ["(\\p{L}{1,1000}){1000}"]])("the regular expression %s is refused for its size", async (query) => {
    expect((await ask("search_text", { workdir: "work", path: "text", query, regex: true })).code).toBe("INVALID_ARGUMENTS")
  })

  test("a line of 200 MB: read by bytes, searched, never edited or held whole", async () => {
    const at = { workdir: "work", path: "text/line.txt" }
    expect((await ask("read_text_file", at)).code).toBe("LINE_TOO_LARGE")
    expect((await ask("read_text_file", { ...at, tail_lines: 1 })).code).toBe("LINE_TOO_LARGE")
    expect(isOk(await ask("read_text_file", { ...at, start_byte: LINE_BYTES })).content).toBe("needle")
    const found = isOk(await ask("search_text", { workdir: "work", path: "text", query: "needle", context_lines: 3 }))
    expect(found).toMatchObject({ returned: 1, truncated: false, matches: [{ path: "text/line.txt", line: 1, text_truncated: true }] })
    const { revision } = isOk(await ask("stat_file", at))
    expect((await ask("edit_text_file", { ...at, expected_revision: revision, edits: [{ old_text: "needle", new_text: "x" }] })).code).toBe("WRITE_TOO_LARGE")
  })

  test("a directory of 1,000,000 entries: any page of it, and walks that say where they stopped", async () => {
    expect(isOk(await ask("list_directory", { workdir: "wide", limit: 500 }))).toMatchObject({ returned: 500, has_more: true })
    const middle = isOk(await ask("list_directory", { workdir: "wide", offset: 500_000, limit: 3 }))
    expect(middle.entries.map(({ name }: { name: string }) => name)).toEqual(namesFrom(500_000, 3))
    expect(isOk(await ask("list_directory", { workdir: "wide", offset: ENTRIES - 2, limit: 500 }))).toMatchObject({ returned: 2, has_more: false })
    expect(isOk(await ask("find_files", { workdir: "wide", pattern: "nothing" }))).toMatchObject({ returned: 0, truncated: true })
    expect((await ask("search_text", { workdir: "wide", query: "needle" })).code).toBeOneOf([null, "SEARCH_TIMEOUT"])
    expect(isOk(await ask("stat_file", { workdir: "wide", path: "e999999" })).type).toBe("file")
  })

  test("a tree of 4,096 levels: what a path can name is found, the rest is `truncated` or counted", async () => {
    const found = isOk(await ask("find_files", { workdir: "work", path: "deep", pattern: "f", limit: 500 }))
    expect(found).toMatchObject({ truncated: true })
    const all = isOk(await ask("find_files", { workdir: "work", path: "deep", pattern: "nothing" }))
    expect(all).toMatchObject({ returned: 0, truncated: true })
    const deepest = `deep${"/d".repeat(2045)}`
    expect(isOk(await ask("list_directory", { workdir: "work", path: deepest })).returned).toBe(2)
    expect((await ask("stat_file", { workdir: "work", path: `deep${"/d".repeat(2046)}/f` })).code).toBe("ACCESS_DENIED")
    // Every one of its files is empty.
    expect(isOk(await ask("search_text", { workdir: "work", path: "deep", query: "needle" }))).toMatchObject({ returned: 0 })
  })

  test("10,000 symlinks: listed as what they are, followed by nothing", async () => {
    expect(isOk(await ask("list_directory", { workdir: "work", path: "links", offset: 9_600, limit: 500 }))).toMatchObject({ returned: 401, has_more: false })
    expect(isOk(await ask("find_files", { workdir: "work", path: "links", pattern: "*", limit: 500 }))).toMatchObject({ matches: [{ path: "links/0-file" }], truncated: false })
    expect(isOk(await ask("find_files", { workdir: "work", path: "links", pattern: "link-*", type: "symlink", limit: 500 }))).toMatchObject({ truncated: true })
    expect(isOk(await ask("search_text", { workdir: "work", path: "links", query: "needle" }))).toMatchObject({ matches: [{ path: "links/0-file" }], truncated: false })
    for (let i = 0; i < 5; i++) expect((await ask("read_text_file", { workdir: "work", path: `links/link-${LINKS - 1 - i}` })).code).toBe("SYMLINK_NOT_ALLOWED")
  })
})

describe("Files", () => {
  let product: Product
  let ask: Ask

  beforeAll(async () => {
    product = await startProduct({ files: home.at("files"), env: { SERVERFS_CALL_TIMEOUT_SECONDS: String(LONGEST_MS / 1000) } })
    ask = watched(product, asking(product, "/files-mcp"))
  })

  afterAll(() => product[Symbol.asyncDispose]())

  test("a directory of 1,000,000 entries: a truncated list, a truncated search, one entry", async () => {
    expect(isOk(await ask("list_dir", { path: "wide" }))).toMatchObject({ truncated: true })
    expect(isOk(await ask("search", { path: "wide", pattern: "e*" }))).toMatchObject({ truncated: true })
    // It may lie beyond the entries that are looked at.
    const one = isOk(await ask("search", { path: "wide", pattern: "e77777" }))
    expect(one.matches.length === 1 || one.truncated).toBe(true)
    expect(isOk(await ask("stat", { path: "wide/e77777" })).type).toBe("file")
    expect((await ask("delete_file", { path: "wide" })).code).toBe("NOT_A_FILE")
  })

  test("a tree of 4,096 levels: listed as far as paths go, copied and removed as a whole", async () => {
    expect(isOk(await ask("list_dir", { path: "deep", recursive: true, max_depth: 10_000 }))).toMatchObject({ truncated: true })
    expect(isOk(await ask("search", { path: "deep", pattern: "nothing" })).matches).toEqual([])
    expect((await ask("copy", { src: "deep", dst: "deep/copy" })).code).toBe("INVALID_ARGUMENTS")
    isOk(await ask("copy", { src: "deep", dst: "copied" }))
    isOk(await ask("move", { src: "copied", dst: "moved" }))
    isOk(await ask("delete_file", { path: "moved", recursive: true }))
    expect(isOk(await ask("list_dir", { path: "." })).entries.map(({ name }: { name: string }) => name)).toEqual(["deep", "links", "wide"])
  })

  test("10,000 symlinks: none leads out, and a chain of them ends", async () => {
    expect(isOk(await ask("list_dir", { path: "links" })).entries).toHaveLength(10_000)
    for (const [i, code] of [[0, null], [1, "NOT_A_FILE"], [2, "PATH_NOT_FOUND"], [3, "PATH_OUTSIDE_WORKDIR"], [9999, "SYMLINK_NOT_ALLOWED"]] as const) {
      expect([i, (await ask("read_file", { path: `links/link-${i}` })).code]).toEqual([i, code])
    }
    isOk(await ask("copy", { src: "links", dst: "copied-links" }))
    isOk(await ask("delete_file", { path: "copied-links", recursive: true }))
  })

  test("1,000,000 entries are removed in one call", async () => {
    isOk(await ask("delete_file", { path: "wide", recursive: true }))
    expect((await ask("stat", { path: "wide" })).code).toBe("PATH_NOT_FOUND")
  })
})

/** `count` names from `offset` on, as the listing orders them. */
function namesFrom(offset: number, count: number): string[] {
  return Array.from({ length: ENTRIES }, (_, i) => `e${i}`).sort().slice(offset, offset + count)
}
