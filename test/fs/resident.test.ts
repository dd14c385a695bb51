import { describe, expect, test } from "bun:test"
import { appendFileSync, closeSync, openSync, readdirSync, readSync, renameSync, symlinkSync, truncateSync } from "node:fs"
import { Resident, WouldWait } from "../../src/fs/resident.ts"
import { Root } from "../../src/fs/root.ts"
import { statAt } from "../../src/fs/stat.ts"
import { Policy } from "../../src/workdir/policy.ts"
import { parsePath } from "../../src/workdir/relpath.ts"
import { advise, chill, FADV, NAMES_AT_ONCE, PAGES_AT_ONCE } from "../helpers/at-once.ts"
import { STRICT } from "../helpers/in-lane.ts"
import { scratch } from "../helpers/scratch.ts"

const admit = (path: string) => new Policy(STRICT).admit(parsePath(path))

function lent(path: string) {
  const root = Root.open(path)
  const lent = Resident.lend(root)
  if (lent === null) throw new Error("nothing was lent, on a filesystem that waits for nobody")
  const resident = Resident.take(lent)
  return {
    root,
    resident,
    [Symbol.dispose]: () => {
      resident[Symbol.dispose]()
      root[Symbol.dispose]()
    },
  }
}

/** A file's first reading after a change writes down when it was; a moment later, since the kernel's clock ticks. Reads no further than it says. */
async function readOnce(path: string, bytes = 4096): Promise<void> {
  await Bun.sleep(20)
  const fd = openSync(path, "r")
  advise(fd, FADV.RANDOM)
  readSync(fd, new Uint8Array(bytes))
  closeSync(fd)
}

describe.if(NAMES_AT_ONCE)("Resident.lstat()", () => {
  test("says what a lane would, of everything that is there", () => {
    using dir = scratch({ "d/e/f.txt": "hello", "d/l": { link: "e" }, "d/nowhere": { link: "none" }, "d/p": { fifo: true } })
    using at = lent(dir.path)
    for (const path of ["d", "d/e", "d/e/f.txt", "d/l", "d/nowhere", "d/p"]) {
      using entry = at.root.entry(admit(path))
      expect(at.resident.lstat(admit(path))).toEqual(statAt(entry.dir, entry.leaf) as never)
    }
  })

  test.each([
    ["nothing there", "d/none"],
    ["nothing on the way", "none/x"],
    ["a link on the way", "l/f"],
    ["a link that leads out", "out/secret"],
    ["a file on the way", "d/f/x"],
    ["the root itself", ""],
  ])("leaves %s to a lane", (_, path) => {
    using dir = scratch({ "root/d/f": "x", "root/l": { link: "d" }, "root/out": { link: ".." }, secret: "outside" })
    using at = lent(dir.at("root"))
    expect(() => at.resident.lstat(admit(path))).toThrow(WouldWait)
    expect(() => at.resident.open(admit(path))).toThrow(WouldWait)
  })

  test("takes an admitted path and nothing that looks like one", () => {
    using dir = scratch({ f: "x" })
    using at = lent(dir.path)
    const forged = { given: "../f", components: ["..", "f"], text: "../f", isRoot: false } as never
    expect(() => at.resident.lstat(forged)).toThrow(TypeError)
    expect(() => at.resident.open(forged)).toThrow(TypeError)
  })

  test("keeps to the directory that was lent when its path is swapped for a link", () => {
    using dir = scratch({ "root/a": "inside", "other/a": "out" })
    using at = lent(dir.at("root"))
    renameSync(dir.at("root"), dir.at("moved"))
    symlinkSync("other", dir.at("root"))
    expect(at.resident.lstat(admit("a")).size).toBe(6n)
  })
})

describe.if(PAGES_AT_ONCE)("Resident.open()", () => {
  test("reads what is in memory, and leaves what is not to a lane", async () => {
    using dir = scratch({ f: "hello" })
    using at = lent(dir.path)
    await readOnce(dir.at("f"))
    const bytes = new Uint8Array(16)
    const read = () => {
      using file = at.resident.open(admit("f"))
      return Buffer.from(bytes.subarray(0, file.read(bytes, 1))).toString()
    }
    expect(read()).toBe("ello")
    await chill(dir.at("f"))
    expect(read).toThrow(WouldWait)
  })

  test("leaves what is in memory in part to a lane", async () => {
    using dir = scratch({ f: "x".repeat(4096) })
    using at = lent(dir.path)
    truncateSync(dir.at("f"), 1 << 20)
    await readOnce(dir.at("f"))
    expect(() => at.resident.open(admit("f"))).toThrow(WouldWait)
    await readOnce(dir.at("f"), 1 << 20)
    using file = at.resident.open(admit("f"))
    expect(file.read(new Uint8Array(1 << 20), 0)).toBe(1 << 20)
  })

  test("leaves a file of over 4 MiB to a lane", async () => {
    using dir = scratch({ f: "" })
    using at = lent(dir.path)
    truncateSync(dir.at("f"), (4 << 20) + 1)
    await readOnce(dir.at("f"), 5 << 20)
    expect(() => at.resident.open(admit("f"))).toThrow(WouldWait)
    truncateSync(dir.at("f"), 4 << 20)
    await readOnce(dir.at("f"), 5 << 20)
    at.resident.open(admit("f"))[Symbol.dispose]()
  })

  test("leaves a reading that would be written down to a lane", async () => {
    using dir = scratch({ f: "hello" })
    using at = lent(dir.path)
    await readOnce(dir.at("f"))
    at.resident.open(admit("f"))[Symbol.dispose]()
    await Bun.sleep(20)
    appendFileSync(dir.at("f"), "more")
    expect(() => at.resident.open(admit("f"))).toThrow(WouldWait)
    await readOnce(dir.at("f"))
    at.resident.open(admit("f"))[Symbol.dispose]()
  })

  test.each(["d", "l", "p"])("opens no directory, link or FIFO (%s)", (name) => {
    using dir = scratch({ d: null, f: "x", l: { link: "f" }, p: { fifo: true } })
    using at = lent(dir.path)
    expect(() => at.resident.open(admit(name))).toThrow(WouldWait)
  })

  test("keeps no descriptor, whatever comes of it", () => {
    using dir = scratch({ f: "x", d: null, p: { fifo: true } })
    using at = lent(dir.path)
    const held = () => readdirSync("/proc/self/fd").length
    const before = held()
    for (const path of ["f", "d", "p", "none", ""]) {
      for (const use of [() => at.resident.lstat(admit(path)), () => at.resident.open(admit(path))[Symbol.dispose]()]) {
        try {
          use()
        } catch (error) {
          expect(error).toBeInstanceOf(WouldWait)
        }
      }
    }
    // Other threads may close some of theirs meanwhile.
    expect(held()).toBeLessThanOrEqual(before)
  })
})

describe("Resident.lend()", () => {
  test("gives a descriptor where the filesystem waits for nobody, and only there", () => {
    using dir = scratch()
    using root = Root.open(dir.path)
    const lent = Resident.lend(root)
    expect(lent !== null).toBe(NAMES_AT_ONCE)
    if (lent !== null) Resident.take(lent)[Symbol.dispose]()
  })

  test("gives nothing of a filesystem that may wait for somebody", () => {
    for (const path of ["/proc", "/sys"]) {
      using root = Root.open(path)
      expect(Resident.lend(root)).toBeNull()
    }
  })

  test("keeps off filesystems that are mounted further down", () => {
    using root = Root.open("/")
    const lent = Resident.lend(root)
    // Where the root itself is an overlay, as in a container, nothing is lent at all.
    if (lent === null) return
    using resident = Resident.take(lent)
    expect(() => resident.lstat(admit("proc/self"))).toThrow(WouldWait)
    expect(() => resident.lstat(admit("proc"))).toThrow(WouldWait)
    expect(resident.lstat(admit("usr")).type).toBe("directory")
  })
})
