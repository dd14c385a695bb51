/** A local filesystem whose disk hangs below it: whatever its own calls wait for, nobody else does. For root, with /dev/fuse. */
import { afterEach, describe, expect, test } from "bun:test"
import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { makeImage, sh } from "../fault/mounts.ts"
import { type Product, startProduct, until } from "../helpers/product.ts"
import { type Scratch, scratch } from "../helpers/scratch.ts"
import { type Ask, asking, type Timed } from "./calls.ts"
import { type HostileMount, mountHostile } from "./fuse/hostile-mount.ts"
import { detach } from "./fuse/mount.ts"

const CALL_MS = 4000
const FILES = 40
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
  product = opened.use(await startProduct({
    workdirs: { calm: home.at("calm"), local: [point, "rw"] }, stateDir: home.at("state"), env: { SERVERFS_CALL_TIMEOUT_SECONDS: String(CALL_MS / 1000) },
  }))
  // What hangs is let go before the product is told to end.
  opened.defer(() => disk.behave({}).catch(() => {}))
  ask = asking(product)
}

afterEach(() => opened.disposeAsync())

const name = (i: number): string => home.at("local", `${i}.txt`)
const read = (i: number): Promise<Timed> => ask("read_text_file", { workdir: "local", path: `${i}.txt` })
const each = <T>(work: (i: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: FILES }, (_, i) => work(i)))

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
  test("holds up nobody else: neither by reading, nor by what reading writes, nor by changes", async () => {
    await begin(kind)
    await each(read)
    sh("sync", "-f", name(0))
    // The next reading of each writes down when it was, in a block that is on its way to the disk: no way of reading is free of waiting.
    for (let i = 0; i < FILES; i++) utimesSync(name(i), 1e9, 1e9)
    const { value: { revision } } = await ask("stat_file", { workdir: "local", path: "1.txt" })
    await disk.behave({ hang: ["*"] })
    const flush = Bun.spawn(["sync", "-f", name(0)], { stdout: "ignore", stderr: "ignore" })
    await Bun.sleep(200)
    const change = ask("edit_text_file", { workdir: "local", path: "1.txt", expected_revision: revision, edits: [{ old_text: "file", new_text: "edited" }] })
    const slowest = await slowestElsewhere(Promise.all([each(read), change]))
    console.log(`${kind}: the slowest elsewhere took ${Math.round(slowest)} ms`)
    expect((await change).code).toBe("WORKDIR_UNAVAILABLE")
    expect(slowest).toBeLessThan(500)
    await disk.behave({})
    await flush.exited
    await until(10_000, async () => ((await read(0)).value["content"] === "file 0\n" ? true : undefined))
  }, 60_000)
})
