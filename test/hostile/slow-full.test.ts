/** Nobody reads the log, or a disk is full: what can't be recorded is refused, the rest goes on, and it all comes back. For root (it mounts). */
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { closeSync, constants, mkdirSync, openSync, readdirSync, readFileSync, readSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Product, type ProductOptions, runCommand, startProduct, until } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Ask, asking } from "./calls.ts"
import { detach, mount } from "./fuse/mount.ts"

const COMMAND = [process.execPath, "--no-env-file", join(import.meta.dir, "../../src/main.ts")]
/** Every event about it is as long as an event can be, so that few of them fill a queue. */
const LONG_PATH = `${"p/".repeat(2000)}p`
/** Of those, more than the queues of a sink hold. */
const FLOOD = 3000

let home: Scratch
let opened: AsyncDisposableStack
/** Calls that were made, and creates that succeeded. */
let calls: number
let created: number

beforeEach(() => {
  calls = 0
  created = 0
  opened = new AsyncDisposableStack()
  home = opened.use(scratch({ "work/a.txt": "hello\n" }))
})

afterEach(() => opened.disposeAsync())

async function start(options: ProductOptions = {}): Promise<{ product: Product; ask: Ask }> {
  const product = opened.use(await startProduct({ workdirs: { work: [home.at("work"), "rw"] }, ...options }))
  const ask = asking(product)
  const counted: Ask = async (tool, args) => {
    calls++
    const answer = await ask(tool, args)
    if (tool === "create_text_file" && answer.code === null) created++
    return answer
  }
  return { product, ask: counted }
}

/** A file system in memory, of this size. */
function small(name: string, size: string): string {
  const point = home.at(name)
  mkdirSync(point)
  mount("tmpfs", point, `size=${size},mode=700`)
  opened.defer(() => void detach(point))
  return point
}

/** Leaves no free byte. */
function fill(directory: string): void {
  const { bavail, bsize } = statfsSync(directory)
  writeFileSync(join(directory, "ballast"), Buffer.alloc(bavail * bsize))
  expect(statfsSync(directory).bavail).toBe(0)
}

async function flood(ask: Ask): Promise<void> {
  for (let done = 0; done < FLOOD; done += 50) {
    for (const { code } of await Promise.all(Array.from({ length: 50 }, () => ask("stat_file", { workdir: "work", path: LONG_PATH })))) expect(code).toBe("PATH_NOT_FOUND")
  }
}

const create = (ask: Ask) => ask("create_text_file", { workdir: "work", path: `new-${calls}`, content: "x" })
const untilChanged = (ask: Ask) => until(10_000, async () => ((await create(ask)).code === null ? true : undefined))

/** While nothing can be recorded: changes are refused and reads go on. */
async function expectStalled(ask: Ask): Promise<void> {
  expect(await create(ask)).toMatchObject({ code: "RESOURCE_EXHAUSTED", text: expect.stringContaining("no change goes unrecorded") })
  expect((await ask("read_text_file", { workdir: "work", path: "a.txt" })).value["content"]).toBe("hello\n")
  expect((await ask("search_text", { workdir: "work", query: "hello" })).value["returned"]).toBe(1)
}

interface Event {
  readonly event: string
  readonly success?: boolean
  readonly tool?: string
  readonly sink?: string
  readonly count?: number
}

const eventsOf = (text: string): Event[] => text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))

/** Every call is there, or in the one gap that is counted; every change is there. */
function expectAccounted(text: string, sink: string): void {
  const events = eventsOf(text)
  const dropped = events.filter(({ event, sink: from }) => event === "audit_dropped" && from === sink)
  const recorded = events.filter(({ event }) => event === "tool_call")
  console.log(`${sink}: ${recorded.length} calls recorded, ${dropped[0]?.count} dropped and counted`)
  expect(dropped).toHaveLength(1)
  expect(recorded.length + (dropped[0]?.count ?? 0)).toBe(calls)
  expect(recorded.filter(({ tool, success }) => tool === "create_text_file" && success)).toHaveLength(created)
}

describe("a log that nobody reads", () => {
  test("stops changes and nothing else, until it is read", async () => {
    const fifo = home.at("stderr")
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0)
    const reader = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    opened.defer(() => closeSync(reader))
    const { product, ask } = await start({ command: ["sh", "-c", `exec "$@" 2>'${fifo}'`, "sh", ...COMMAND] })
    expect((await create(ask)).code).toBeNull()
    await flood(ask)
    await expectStalled(ask)

    const chunk = Buffer.alloc(1 << 20)
    let text = ""
    const drain = (): void => {
      try {
        for (;;) text += chunk.toString("utf8", 0, readSync(reader, chunk))
      } catch {
        // EAGAIN: all that is there has been read.
      }
    }
    const timer = setInterval(drain, 5)
    await untilChanged(ask)
    expect(await product.stop()).toBe(0)
    clearInterval(timer)
    drain()
    expectAccounted(text, "stderr")
  })

  test("does not keep the gateway from its end", async () => {
    const fifo = home.at("stderr")
    expect(Bun.spawnSync(["mkfifo", fifo]).exitCode).toBe(0)
    const reader = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK)
    opened.defer(() => closeSync(reader))
    const { product, ask } = await start({ command: ["sh", "-c", `exec "$@" 2>'${fifo}'`, "sh", ...COMMAND] })
    await flood(ask)
    const began = performance.now()
    expect(await product.stop()).toBe(0)
    expect(performance.now() - began).toBeLessThan(5000)
  })
})

describe("an audit file on a full disk", () => {
  test("stops changes and nothing else, until there is room", async () => {
    const disk = small("log", "1m")
    const file = join(disk, "audit.jsonl")
    const { product, ask } = await start({ env: { SERVERFS_AUDIT_FILE: file } })
    expect((await create(ask)).code).toBeNull()
    fill(disk)
    await flood(ask)
    await expectStalled(ask)
    expect(await product.logged("audit_sink_failed", { sink: "file" })).toMatchObject({ reason: "ENOSPC" })

    Bun.spawnSync(["mount", "-o", "remount,size=64m", disk])
    await untilChanged(ask)
    expect(await product.stop()).toBe(0)
    expectAccounted(readFileSync(file, "utf8"), "file")
  })
})

describe("a full state directory", () => {
  test("lets every token work on; what would have to be written there fails and says so", async () => {
    const state = small("state", "2m")
    const variables = { SERVERFS_STATE_DIR: state, WORKDIR_01_ALIAS: "work", WORKDIR_01_PATH: home.at("work"), HOME: home.path }
    const made = await runCommand(["token", "create", "--name", "early"], variables)
    expect(made.status).toBe(0)
    const { product, ask } = await start({ stateDir: state })
    fill(state)
    const named = asking({ url: product.url, token: made.stdout.trim() })
    for (let i = 0; i < 20; i++) expect((await named("read_text_file", { workdir: "work", path: "a.txt" })).code).toBeNull()
    expect((await create(ask)).code).toBeNull()

    const late = await runCommand(["token", "create", "--name", "late"], variables)
    expect([late.status, late.stdout, late.stderr]).toEqual([expect.any(Number), "", expect.stringMatching(/full/)])
    expect(late.status).not.toBe(0)
    const revoke = async () => (await runCommand(["token", "revoke", "early"], variables)).status === 0
    const isRefused = async () => (await named("stat_file", { workdir: "work", path: "" })).code === "unauthorized"
    const revoked = await revoke()
    expect(await isRefused()).toBe(revoked)

    rmSync(join(state, "ballast"))
    expect(await revoke()).toBe(!revoked)
    expect(await isRefused()).toBe(true)
    expect(await product.stop()).toBe(0)
  })

  test("is a start that fails with a reason, not a gateway without its state", async () => {
    const state = small("state", "64k")
    fill(state)
    const { status, stderr } = await runCommand([], { SERVERFS_STATE_DIR: state, SERVERFS_PORT: "0", WORKDIR_01_ALIAS: "work", WORKDIR_01_PATH: home.at("work") })
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^serverfs: CONFIGURATION_ERROR: SERVERFS_STATE_DIR: /)])
  })
})

describe("a full workdir", () => {
  test("refuses what does not fit, leaves nothing of it behind, and reads on", async () => {
    const disk = small("disk", "1m")
    writeFileSync(join(disk, "a.txt"), "hello\n")
    const { ask } = await start({ workdirs: { work: [disk, "rw"] } })
    const { value } = await ask("stat_file", { workdir: "work", path: "a.txt" })
    fill(disk)
    const content = "x".repeat(100_000)
    expect(await ask("create_text_file", { workdir: "work", path: "new", content })).toMatchObject({ code: "MUTATION_IO_ERROR", text: expect.stringContaining("no space left") })
    const edits = [{ old_text: "hello", new_text: content }]
    expect((await ask("edit_text_file", { workdir: "work", path: "a.txt", expected_revision: value["revision"], edits })).code).toBe("MUTATION_IO_ERROR")
    expect(readdirSync(disk).sort()).toEqual(["a.txt", "ballast"])
    expect((await ask("read_text_file", { workdir: "work", path: "a.txt" })).value["content"]).toBe("hello\n")
    rmSync(join(disk, "ballast"))
    expect((await ask("edit_text_file", { workdir: "work", path: "a.txt", expected_revision: value["revision"], edits })).code).toBeNull()
  })
})
