/** What the filesystem under a directory can do of what publication and revisions rely on: each tried, under reserved names. */
import { E, strerror } from "./errno.ts"
import { Fd } from "./fd.ts"
import { AT, O, RENAME_NOREPLACE, RESOLVE } from "./flags.ts"
import { fchmod, fgetxattr, fsetxattr, fsync, openat, openat2, renameat2, unlinkat } from "./libc.unsafe.ts"
import { tempName } from "./publish/temp-name.ts"
import { linkOpen } from "./publish/temp.ts"
import type { Root } from "./root.ts"
import { sameInode, type Stat, statAt, statOf } from "./stat.ts"

/** What is missing or wrong, in a few words; null = it works. */
export type Shortcoming = string | null

const PROBES = { nameless, links, noReplace, xattrs, fileSync, directorySync, changeTime, inodes }
export type Capability = keyof typeof PROBES
export type Capabilities = Readonly<Record<Capability, Shortcoming>>

/** Longer than the coarsest clock of a local filesystem (a tick of 10 ms). */
const TICK_MS = 30

/**
 * Makes and removes a few empty files in the root; nothing is left behind. Call it for a writable root only: it blocks.
 * A probe that the directory itself refuses says so as its shortcoming.
 */
export function probeCapabilities(root: Root): Capabilities {
  const tried = Object.entries(PROBES).map(([name, probe]) => [name, outcome(() => probe(root.self))])
  return Object.fromEntries(tried) as Capabilities
}

/** Whether this kernel resolves a path in one call, or the walk has to go name by name. */
export function hasOpenat2(): boolean {
  const status = openat2(AT.FDCWD, ".", O.PATH | O.DIRECTORY, RESOLVE.BENEATH)
  if (status >= 0) Fd.own(status)[Symbol.dispose]()
  return status !== -E.ENOSYS && status !== -E.EPERM
}

function outcome(probe: () => Shortcoming): Shortcoming {
  try {
    return probe()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** O_TMPFILE, and a name for it afterwards through /proc. */
function nameless(dir: Fd): Shortcoming {
  using file = Fd.own(succeeded(openat(dir.number, ".", O.TMPFILE | O.WRONLY, 0o600)))
  using name = new SpareName(dir)
  succeeded(linkOpen(file, dir, name.text))
  return null
}

function links(dir: Fd): Shortcoming {
  using file = new SpareFile(dir)
  using second = new SpareName(dir)
  succeeded(linkOpen(file.fd, dir, second.text))
  return look(file.fd).nlink === 2 ? null : "a second name is not counted"
}

function noReplace(dir: Fd): Shortcoming {
  using one = new SpareFile(dir)
  using other = new SpareFile(dir)
  using free = new SpareName(dir)
  const onto = renameat2(dir.number, one.name, dir.number, other.name, RENAME_NOREPLACE)
  if (onto === 0) return "it replaced a file that it should have kept"
  if (onto !== -E.EEXIST) succeeded(onto)
  succeeded(renameat2(dir.number, one.name, dir.number, free.text, RENAME_NOREPLACE))
  return null
}

function xattrs(dir: Fd): Shortcoming {
  using file = new SpareFile(dir)
  const value = Buffer.from("value")
  const back = new Uint8Array(new ArrayBuffer(value.length))
  succeeded(fsetxattr(file.fd.number, "user.serverfs", value))
  succeeded(fgetxattr(file.fd.number, "user.serverfs", back))
  return value.equals(back) ? null : "a value came back changed"
}

function fileSync(dir: Fd): Shortcoming {
  using file = new SpareFile(dir)
  succeeded(fsync(file.fd.number))
  return null
}

function directorySync(dir: Fd): Shortcoming {
  succeeded(fsync(dir.number))
  return null
}

function changeTime(dir: Fd): Shortcoming {
  using file = new SpareFile(dir)
  const before = look(file.fd)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TICK_MS)
  succeeded(fchmod(file.fd.number, 0o640))
  return look(file.fd).ctimeNs === before.ctimeNs ? "a change leaves it as it was" : null
}

function inodes(dir: Fd): Shortcoming {
  using file = new SpareFile(dir)
  using other = new SpareFile(dir)
  using moved = new SpareName(dir)
  const before = look(file.fd)
  if (sameInode(before, look(other.fd))) return "two files have one number"
  succeeded(renameat2(dir.number, file.name, dir.number, moved.text, 0))
  const after = statAt(dir, moved.text)
  return typeof after !== "number" && sameInode(before, after) ? null : "a rename changes it"
}

function succeeded(status: number): number {
  if (status < 0) throw new Error(strerror(-status))
  return status
}

function look(fd: Fd): Stat {
  const stat = statOf(fd)
  if (typeof stat === "number") throw new Error(strerror(-stat))
  return stat
}

/** A reserved name that nobody has; whatever bears it at the end is removed. */
class SpareName implements Disposable {
  readonly text = tempName()
  readonly #dir: Fd

  constructor(dir: Fd) {
    this.#dir = dir
  }

  [Symbol.dispose](): void {
    unlinkat(this.#dir.number, this.text, 0)
  }
}

class SpareFile implements Disposable {
  readonly fd: Fd
  readonly #name: SpareName

  constructor(dir: Fd) {
    this.#name = new SpareName(dir)
    this.fd = Fd.own(succeeded(openat(dir.number, this.name, O.WRONLY | O.CREAT | O.EXCL | O.NOFOLLOW, 0o600)))
  }

  get name(): string {
    return this.#name.text
  }

  [Symbol.dispose](): void {
    this.fd[Symbol.dispose]()
    this.#name[Symbol.dispose]()
  }
}
