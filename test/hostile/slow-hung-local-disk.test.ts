/** A local filesystem whose disk hangs below it: what of it is in memory is read by the event loop, which must not hang with the rest. For root, with /dev/fuse. */
import { afterEach, describe, expect, test } from "bun:test"
import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, utimesSync, writeFileSync, writeSync } from "node:fs"
import { makeImage, sh } from "../fault/mounts.ts"
import { type Product, startProduct, until } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Ask, asking, type Timed } from "./calls.ts"
import { type HostileMount, mountHostile } from "./fuse/hostile-mount.ts"
import { detach } from "./fuse/mount.ts"

const CALL_MS = 4000
/** Those that were changed since they were last read, those that are in memory, and those of which only the names are. */
const CHANGED = 20, WARM = 20, COLD = 40
const FILES = CHANGED + WARM + COLD
const IMAGE_BYTES = 32 << 20

let home: Scratch
let disk: HostileMount
let product: Product
let ask: Ask
let opened: AsyncDisposableStack

/** A workdir on such a filesystem, beside a calm one. */
async function begin(kind: "ext4" | "xfs"): Promise<void> {
  opened = new AsyncDisposableStack()
  home = opened.use(scratch({ "calm/a.txt": "hello\n" }))
  disk = opened.use(await mountHostile(home.at("disk"), {}))
  copyFileSync(makeImage(home, kind, IMAGE_BYTES), home.at("disk", "image"))
  const point = home.at("local")
  mkdirSync(point)
  sh("mount", "-o", "loop", home.at("disk", "image"), point)
  opened.defer(() => void detach(point))
  for (let i = 0; i < FILES; i++) writeFileSync(name(i), `file ${i}\n`)
  scatter(home.at("local", "scattered.txt"))
  // Read, so that no later reading has to be written down, and then no more in memory.
  await Bun.sleep(20)
  for (const file of readdirSync(point, { withFileTypes: true })) if (file.isFile()) readFileSync(home.at("local", file.name))
  sh("umount", point)
  sh("mount", "-o", "loop", home.at("disk", "image"), point)
  product = opened.use(await startProduct({
    workdirs: { calm: home.at("calm"), local: [point, "rw"] }, stateDir: home.at("state"), env: { SERVERFS_CALL_TIMEOUT_SECONDS: String(CALL_MS / 1000) },
  }))
  // What hangs is let go before the product is told to end.
  opened.defer(() => disk.behave({}).catch(() => {}))
  ask = asking(product)
}

afterEach(() => opened.disposeAsync())

/** A file in so many pieces that where they are has to be read from the disk before they can be. */
function scatter(path: string): void {
  const fd = openSync(path, "w")
  for (let piece = 0; piece < 60; piece++) writeSync(fd, "0123456\n".repeat(512), piece * 8192)
  closeSync(fd)
}

const name = (i: number): string => home.at("local", `${i}.txt`)
const read = (i: number): Promise<Timed> => ask("read_text_file", { workdir: "local", path: `${i}.txt` })
const stat = (i: number): Promise<Timed> => ask("stat_file", { workdir: "local", path: `${i}.txt` })
const each = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: count }, (_, i) => work(i)))

/** The slowest of the calls elsewhere while `work` goes on. */
async function slowestElsewhere(work: Promise<unknown>): Promise<number> {
  let going = true, slowest = 0
  void work.finally(() => { going = false })
  while (going) {
    const { code, ms } = await ask("read_text_file", { workdir: "calm", path: "a.txt" })
    expect(code).toBeNull()
    slowest = Math.max(slowest, ms)
    await Bun.sleep(1)
  }
  return slowest
}

describe.each(["ext4", "xfs"] as const)("a workdir on %s whose disk hangs", (kind) => {
  test("is read from memory, and holds up nobody else: neither by reading, nor by what reading writes, nor by changes", async () => {
    await begin(kind)
    await each(CHANGED + WARM, read)
    await each(FILES, stat)
    await ask("stat_file", { workdir: "local", path: "scattered.txt" })
    sh("sync", "-f", name(0))
    // The next reading of each writes down when it was, in a block that is on its way to the disk.
    for (let i = 0; i < CHANGED; i++) utimesSync(name(i), 1e9, 1e9)
    await disk.behave({ hang: ["*"] })
    const flush = Bun.spawn(["sync", "-f", name(0)], { stdout: "ignore", stderr: "ignore" })
    await Bun.sleep(200)
    const stats = await each(FILES, stat)
    expect(stats.map(({ code }) => code)).toEqual(stats.map(() => null))
    const work = Promise.all([
      each(FILES, read),
      ask("read_text_file", { workdir: "local", path: "scattered.txt", max_lines: 10 }),
      ask("create_text_file", { workdir: "local", path: "new.txt", content: "x" }),
      ask("edit_text_file", { workdir: "local", path: "1.txt", expected_revision: stats[1]?.value["revision"], edits: [{ old_text: "file", new_text: "edited" }] }),
    ])
    const slowest = await slowestElsewhere(work)
    const [reads] = await work
    console.log(`${kind}: the slowest elsewhere took ${Math.round(slowest)} ms; ${reads.filter(({ code }) => code === null).length} of ${FILES} were read all the same`)
    expect(slowest).toBeLessThan(500)
    const warm = reads.slice(CHANGED, CHANGED + WARM)
    expect(warm.map(({ code }) => code)).toEqual(warm.map(() => null))
    await disk.behave({})
    await flush.exited
    await until(10_000, async () => ((await read(0)).value["content"] === "file 0\n" ? true : undefined))
  }, 60_000)
})
