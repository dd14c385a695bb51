/** One workdir's disk hangs, fails or is exchanged: its own calls end with a code in time, and nobody else notices. For root, with /dev/fuse. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { legacy } from "../e2e/channels.ts"
import { type Product, type ProductOptions, runCommand, startProduct, until } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Ask, asking } from "./calls.ts"
import { type HostileMount, mountHostile } from "./fuse/hostile-mount.ts"
import { detach, mount } from "./fuse/mount.ts"

const CALL_MS = 4000
const ALL = ["*"]

let home: Scratch
let disk: HostileMount
let product: Product
let ask: Ask
let opened: AsyncDisposableStack

function options(): ProductOptions {
  return {
    workdirs: { calm: [home.at("calm"), "rw"], disk: [disk.path, "rw"] },
    env: { SERVERFS_CALL_TIMEOUT_SECONDS: String(CALL_MS / 1000), SERVERFS_SEARCH_TIMEOUT_SECONDS: "2" },
    stateDir: home.at("state"),
  }
}

beforeEach(async () => {
  opened = new AsyncDisposableStack()
  home = opened.use(scratch({ "calm/a.txt": "hello\n" }))
  disk = opened.use(await mountHostile(home.at("disk"), { "a.txt": "one\n", "b.txt": "needle\n", "held.txt": "needle\n", "sub/long.txt": "0123456789\n".repeat(30_000) }))
  product = opened.use(await startProduct(options()))
  // What hangs is let go before the product is told to end.
  opened.defer(() => disk.behave({}).catch(() => {}))
  ask = asking(product)
})

afterEach(() => opened.disposeAsync())

async function revisionOf(workdir: string): Promise<string> {
  return (await ask("stat_file", { workdir, path: "a.txt" })).value["revision"]
}

function edit(workdir: string, expected_revision: string, old_text: string, new_text: string) {
  return ask("edit_text_file", { workdir, path: "a.txt", expected_revision, edits: [{ old_text, new_text }] })
}

async function readiness(): Promise<Record<string, string>> {
  return (await (await product.fetch("/readyz")).json() as { services: { serverfs: Record<string, string> } }).services.serverfs
}

/** Whether the process's first thread has ended: the rest of it may be held by the kernel. */
function hasExited(): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${product.pid}/stat`, "utf8"))
  } catch {
    return true
  }
}

describe("a workdir whose disk hangs", () => {
  test("does not keep the places of a token's calls once they are answered", async () => {
    await disk.behave({ hang: ALL })
    for (let round = 0; round < 2; round++) {
      const hung = await Promise.all(Array.from({ length: 64 }, () => ask("stat_file", { workdir: "disk", path: "a.txt" })))
      expect(hung.every(({ code }) => code === "WORKDIR_UNAVAILABLE")).toBe(true)
    }
    // A lane counts as hung after 5 s.
    await until(15_000, async () => ((await ask("stat_file", { workdir: "calm", path: "a.txt" })).code === null ? true : undefined))
    const { code, ms } = await ask("stat_file", { workdir: "calm", path: "a.txt" })
    expect(code).toBeNull()
    expect(ms).toBeLessThan(500)
  }, 60_000)

  test("keeps list_workdirs and every read elsewhere under 500 ms, and its own calls end with WORKDIR_UNAVAILABLE by their deadline", async () => {
    await ask("search_text", { workdir: "calm", query: "hello" })
    await disk.behave({ hang: ALL })
    const hung = [
      ...Array.from({ length: 20 }, () => ask("stat_file", { workdir: "disk", path: "a.txt" })),
      ask("read_text_file", { workdir: "disk", path: "a.txt" }),
      ask("list_directory", { workdir: "disk" }),
      ask("find_files", { workdir: "disk", pattern: "*" }),
      ask("search_text", { workdir: "disk", query: "needle" }),
      ask("create_text_file", { workdir: "disk", path: "new.txt", content: "x" }),
    ]
    let slowest = 0, reads = 0
    for (const end = performance.now() + CALL_MS; performance.now() < end; ) {
      for (const [tool, args] of [["list_workdirs", {}], ["read_text_file", { path: "a.txt" }], ["stat_file", { path: "a.txt" }], ["list_directory", {}], ["find_files", { pattern: "*" }], ["search_text", { query: "hello" }]] as const) {
        const { code, ms } = await ask(tool, { workdir: "calm", ...args })
        expect(code).toBeNull()
        slowest = Math.max(slowest, ms)
        reads++
      }
    }
    console.log(`${reads} reads elsewhere, the slowest took ${Math.round(slowest)} ms`)
    expect(slowest).toBeLessThan(500)
    for (const { code, ms } of await Promise.all(hung)) {
      expect(code).toBe("WORKDIR_UNAVAILABLE")
      expect(ms).toBeWithin(CALL_MS - 600, CALL_MS + 200)
    }
    expect(await readiness()).toEqual({ calm: "ok", disk: "unavailable" })
  })

  test("makes a change elsewhere wait two seconds at most, however many of its own changes wait, and loses none of those that come after", async () => {
    const mine = await revisionOf("disk"), theirs = await revisionOf("calm")
    // Each directory's thread for changes is started by its first change.
    await ask("create_text_file", { workdir: "calm", path: "first.txt", content: "x" })
    await ask("create_text_file", { workdir: "disk", path: "first.txt", content: "x" })
    await disk.behave({ hang: ["FSYNC"] })
    const hung = edit("disk", mine, "one", "two")
    await Bun.sleep(100)
    const behind = Array.from({ length: 10 }, (_, i) => ask("create_text_file", { workdir: "disk", path: `new-${i}.txt`, content: "x" }))
    const elsewhere = await edit("calm", theirs, "hello", "changed")
    console.log(`a change elsewhere took ${Math.round(elsewhere.ms)} ms`)
    expect(elsewhere.code).toBeNull()
    expect(elsewhere.ms).toBeLessThan(2100)
    for (const { code, text } of await Promise.all(behind)) expect([code, text]).toEqual(["WORKDIR_UNAVAILABLE", expect.stringContaining("nothing was done")])
    expect((await ask("create_text_file", { workdir: "calm", path: "next.txt", content: "x" })).ms).toBeLessThan(500)

    const refused = await ask("create_text_file", { workdir: "disk", path: "later.txt", content: "x" })
    expect([refused.code, refused.ms < 500]).toEqual(["WORKDIR_UNAVAILABLE", true])
    expect(await hung).toMatchObject({ code: "WORKDIR_UNAVAILABLE", text: expect.stringContaining("may have happened: stat before you retry") })
    expect((await ask("read_text_file", { workdir: "disk", path: "b.txt" })).code).toBeNull()

    await disk.behave({})
    await product.logged("changes_resumed", { workdir: "disk" })
    expect((await ask("create_text_file", { workdir: "disk", path: "later.txt", content: "x" })).code).toBeNull()
    const names = (await ask("list_directory", { workdir: "disk" })).value["entries"].map(({ name }: { name: string }) => name)
    expect(names).toEqual(["a.txt", "b.txt", "first.txt", "held.txt", "later.txt", "sub"])
    expect((await ask("read_text_file", { workdir: "disk", path: "a.txt" })).value["content"]).toBe("two\n")
  })

  test("costs one thread for each call that hangs: those that wait behind it go on in another", async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask("stat_file", { workdir: "disk", path: "a.txt" })))
    await disk.behave({ hang: ["held.txt"] })
    const hung = ask("read_text_file", { workdir: "disk", path: "held.txt" })
    const others = await Promise.all(Array.from({ length: 20 }, () => ask("read_text_file", { workdir: "disk", path: "b.txt" })))
    for (const { code, ms } of others) expect([code, ms < 2000]).toEqual([null, true])
    const after = await ask("read_text_file", { workdir: "disk", path: "b.txt" })
    expect([after.code, after.ms < 500]).toEqual([null, true])
    expect((await hung).code).toBe("WORKDIR_UNAVAILABLE")
  })

  test("lets a search end by its own deadline, though its ripgrep can't die, with what it has or with SEARCH_TIMEOUT", async () => {
    await disk.behave({ hang: ["held.txt"] })
    const nothing = await ask("search_text", { workdir: "disk", query: "not there" })
    expect([nothing.code, nothing.ms < CALL_MS]).toEqual(["SEARCH_TIMEOUT", true])
    const something = await ask("search_text", { workdir: "disk", query: "needle" })
    expect([something.code, something.value["truncated"], something.ms < CALL_MS]).toEqual([null, true, true])
    expect(something.value["matches"]).toMatchObject([{ path: "b.txt" }])
  })

  test("serves again without a restart once its disk answers, also when nobody calls", async () => {
    await disk.behave({ hang: ALL })
    await Promise.all(Array.from({ length: 20 }, () => ask("stat_file", { workdir: "disk", path: "a.txt" })))
    expect(await readiness()).toEqual({ calm: "ok", disk: "unavailable" })
    await product.logged("workdir_unavailable", { workdir: "disk" })
    // Long enough that every thread counts as hung, and calls are answered at once.
    await until(10_000, async () => ((await ask("stat_file", { workdir: "disk", path: "a.txt" })).ms < 500 ? true : undefined))

    await disk.behave({})
    await product.logged("workdir_available", { workdir: "disk" })
    expect(await readiness()).toEqual({ calm: "ok", disk: "ok" })
    expect((await ask("read_text_file", { workdir: "disk", path: "a.txt" })).value["content"]).toBe("one\n")
    expect((await ask("edit_text_file", { workdir: "disk", path: "a.txt", expected_revision: await revisionOf("disk"), edits: [{ old_text: "one", new_text: "two" }] })).code).toBeNull()
  })

  test("does not keep the process from its end: within 5 s it has let go of everything but the threads that the kernel holds", async () => {
    await disk.behave({ hang: ALL })
    const hung = Promise.allSettled(Array.from({ length: 20 }, () => ask("stat_file", { workdir: "disk", path: "a.txt" })))
    const change = Promise.allSettled([ask("create_text_file", { workdir: "disk", path: "x", content: "x" })])
    await Bun.sleep(300)
    const start = performance.now()
    product.kill("SIGTERM")
    await until(5000, () => hasExited() || undefined)
    console.log(`ended ${Math.round(performance.now() - start)} ms after SIGTERM`)
    await Promise.all([hung, change])
    // Its port and its state directory are free for the next one.
    await using next = await startProduct({ ...options(), workdirs: { calm: home.at("calm") }, env: { SERVERFS_PORT: String(product.port) } })
    expect((await asking(next)("stat_file", { workdir: "calm", path: "a.txt" })).code).toBeNull()
  })
})

describe("a Files root whose disk hangs", () => {
  test("ends a copy that would go on for as long as it tells how far it is, once it tells nothing any more", async () => {
    await using files = await startProduct({ files: disk.path, env: { SERVERFS_CALL_TIMEOUT_SECONDS: String(CALL_MS / 1000) } })
    const at = { url: files.url, mount: "/files-mcp", token: files.token }
    const copy = async () => {
      const start = performance.now()
      const response = await legacy(at, "tools/call", { name: "copy", arguments: { src: "sub", dst: `copied-${start}` }, _meta: { progressToken: 1 } })
      return { text: await response.text(), ms: performance.now() - start }
    }
    expect((await copy()).text).toContain("COPIED")
    await disk.behave({ hang: ["READ"] })
    const { text, ms } = await copy()
    expect(text).toContain("WORKDIR_UNAVAILABLE")
    expect(ms).toBeWithin(CALL_MS - 1000, CALL_MS + 1500)
    await disk.behave({})
    expect((await copy()).text).toContain("COPIED")
  })
})

describe("a workdir whose disk is exchanged", () => {
  test("says in its calls, in the log and in doctor to restart, and nothing else is affected", async () => {
    expect((await ask("read_text_file", { workdir: "disk", path: "a.txt" })).code).toBeNull()
    await disk.die()
    expect(await ask("read_text_file", { workdir: "disk", path: "a.txt" })).toMatchObject({ code: "WORKDIR_UNAVAILABLE" })
    detach(disk.path)
    mount("tmpfs", disk.path, "size=1m")
    try {
      for (const [tool, more] of [["read_text_file", { path: "a.txt" }], ["list_directory", {}], ["search_text", { query: "x" }], ["create_text_file", { path: "n", content: "x" }]] as const) {
        const { code, text } = await ask(tool, { workdir: "disk", ...more })
        expect([tool, code, text]).toEqual([tool, "WORKDIR_UNAVAILABLE", expect.stringContaining("the operator has to restart serverfs")])
      }
      const advice = "if it was mounted or made anew, the operator has to restart serverfs"
      await product.logged("workdir_unavailable", { workdir: "disk", advice })
      const { stdout } = await runCommand(["doctor", "--json"], {
        SERVERFS_PORT: String(product.port), SERVERFS_TOKEN: product.token, SERVERFS_STATE_DIR: product.stateDir,
        WORKDIR_01_ALIAS: "calm", WORKDIR_01_PATH: home.at("calm"), WORKDIR_02_ALIAS: "disk", WORKDIR_02_PATH: disk.path,
      })
      const findings = JSON.parse(stdout).findings.filter(({ check }: { check: string }) => check === "gateway")
      expect(findings).toMatchObject([{ level: "ok", subject: "calm" }, { level: "error", subject: "disk", fix: expect.stringContaining("restart the gateway") }])
      expect((await ask("read_text_file", { workdir: "calm", path: "a.txt" })).code).toBeNull()
      expect(await readiness()).toEqual({ calm: "ok", disk: "unavailable" })
    } finally {
      detach(disk.path)
    }
  })
})

describe("a workdir whose disk fails", () => {
  test("answers READ_IO_ERROR with the system's words, and MUTATION_IO_ERROR for a change", async () => {
    const revision = await revisionOf("disk")
    await disk.behave({ fail: ["READ", "READDIR"] })
    for (const [tool, more] of [["read_text_file", { path: "a.txt" }], ["list_directory", {}], ["find_files", { pattern: "*" }]] as const) {
      const { code, text } = await ask(tool, { workdir: "disk", ...more })
      expect([tool, code, text]).toEqual([tool, "READ_IO_ERROR", expect.stringContaining("i/o error")])
    }
    await disk.behave({ fail: ["LOOKUP"] })
    expect((await ask("stat_file", { workdir: "disk", path: "a.txt" })).code).toBe("READ_IO_ERROR")
    await disk.behave({ fail: ["WRITE", "FSYNC"] })
    expect(await edit("disk", revision, "one", "two")).toMatchObject({ code: "MUTATION_IO_ERROR", text: expect.stringContaining("i/o error") })
    expect((await ask("create_text_file", { workdir: "disk", path: "new.txt", content: "x" })).code).toBe("MUTATION_IO_ERROR")
    await disk.behave({})
    expect((await ask("list_directory", { workdir: "disk" })).value["entries"]).toHaveLength(4)
    expect((await ask("read_text_file", { workdir: "disk", path: "a.txt" })).value["content"]).toBe("one\n")
    expect(await readiness()).toEqual({ calm: "ok", disk: "ok" })
  })

  test("counts files that a search could not read", async () => {
    await disk.behave({ fail: ["READ"] })
    const { code, value } = await ask("search_text", { workdir: "disk", query: "needle" })
    expect([code, value["matches"], value["skipped"]["unreadable"]]).toEqual([null, [], 4])
  })
})

describe("a workdir whose disk reads short", () => {
  test("is read to the end all the same, by every tool", async () => {
    await disk.behave({ short: 1 })
    expect((await ask("read_text_file", { workdir: "disk", path: "b.txt" })).value["content"]).toBe("needle\n")
    await disk.behave({ short: 1000 })
    expect((await ask("read_text_file", { workdir: "disk", path: "sub/long.txt", tail_lines: 3 })).value["content"]).toBe("0123456789\n".repeat(3))
    expect((await ask("read_text_file", { workdir: "disk", path: "sub/long.txt", start_line: 20_000, max_lines: 2 })).value).toMatchObject({ content: "0123456789\n0123456789\n", has_more: true })
    expect((await ask("search_text", { workdir: "disk", path: "sub", query: "9", limit: 2 })).value).toMatchObject({ returned: 2, truncated: true })
    expect((await edit("disk", await revisionOf("disk"), "one", "two")).code).toBeNull()
    expect((await ask("read_text_file", { workdir: "disk", path: "a.txt" })).value["content"]).toBe("two\n")
  })
})
