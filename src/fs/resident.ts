/**
 * What the kernel can say of a directory without waiting for anything: names in its lookup cache, inodes and pages in memory. These are the only
 * file system calls that the event loop makes; whatever they can't say at once is left to a lane. A test takes their disk away from under them.
 *
 * openat2(2) has RESOLVE_CACHED for exactly this. statx(2) of an open descriptor and close(2) have nothing of the kind: they wait for nobody on the
 * filesystems that are listed here, and RESOLVE_NO_XDEV keeps off others that are mounted below. preadv2(2) has RWF_NOWAIT, which does not wait for data, but
 * does for the disk to take its requests (read ahead) and for what reading writes (the time of access): both are ruled out before it is called.
 * Not guaranteed: pages may be taken back in the microseconds since they were counted, and the last close(2) of a file that was removed in them frees its
 * blocks. A scanner that has to permit each open (fanotify(7)) is waited for.
 */
import { type Admitted, isAdmitted } from "../workdir/policy.ts"
import { type AccessTimes, accessTimes, readingWrites } from "./access-time.ts"
import { Fd } from "./fd.ts"
import { O, RESOLVE } from "./flags.ts"
import { fstatfs, isCached, openat, openat2, preadNowait } from "./libc.unsafe.ts"
import type { Root } from "./root.ts"
import { type Stat, statOf } from "./stat.ts"

const CACHED = RESOLVE.BENEATH | RESOLVE.NO_SYMLINKS | RESOLVE.NO_MAGICLINKS | RESOLVE.NO_XDEV | RESOLVE.CACHED

/** f_type, linux/magic.h: ext2 to ext4, XFS, Btrfs, F2FS, tmpfs. An overlay may have anything below it. */
const NEVER_WAITS: ReadonlySet<number> = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994])

/** Counting a larger file's pages takes its time. */
const MAX_FILE_BYTES = 4_194_304

/** Not an answer: a lane has to look. */
export class WouldWait extends Error {
  override readonly name = "WouldWait"
}

/** What a lane gives to the event loop: numbers, since nothing else crosses over. */
export interface Lent {
  /** Open, and the taker's from then on. */
  readonly descriptor: number
  readonly accessTimes: AccessTimes
}

/** A regular file that is open. */
export interface ResidentFile extends Disposable {
  /** As it was right after the open. */
  readonly stat: Stat
  /** As it is now. */
  again(): Stat
  /** Fills `into` from byte `offset` on, as far as the file goes, and returns how far. Throws WouldWait. */
  read(into: Uint8Array, offset: number): number
}

export class Resident implements Disposable {
  readonly #fd: Fd
  readonly #accessTimes: AccessTimes

  private constructor(fd: Fd, times: AccessTimes) {
    this.#fd = fd
    this.#accessTimes = times
  }

  /** For take() in another thread of this process; null where the kernel or the filesystem makes no such promise. Only for a lane: it may wait. */
  static lend(root: Root): Lent | null {
    const filesystem = fstatfs(root.self.number)
    if (typeof filesystem === "number" || !NEVER_WAITS.has(filesystem.type)) return null
    // Kernels before 5.12 do not know the flag, and some sandboxes refuse the call.
    const probe = openat2(root.self.number, ".", O.PATH | O.DIRECTORY, CACHED)
    if (probe >= 0) Fd.own(probe)[Symbol.dispose]()
    const descriptor = probe < 0 ? probe : openat(root.self.number, ".", O.PATH | O.DIRECTORY)
    return descriptor < 0 ? null : { descriptor, accessTimes: accessTimes(filesystem.flags) }
  }

  static take({ descriptor, accessTimes }: Lent): Resident {
    return new Resident(Fd.own(descriptor), accessTimes)
  }

  /** Of what the last component itself is. Throws WouldWait: also when there is nothing, or something is in the way. */
  lstat(at: Admitted): Stat {
    using fd = this.#open(at, O.PATH)
    return known(fd)
  }

  /**
   * Throws WouldWait, as lstat() does, for what is no regular file (nothing else is ever opened), for one that is not in memory as a whole, since its
   * reading would begin to read ahead, and where reading would write.
   */
  open(at: Admitted): ResidentFile {
    assertFile(this.lstat(at))
    // O_NONBLOCK: should the name have become a FIFO in between, open(2) must not wait for a writer.
    const fd = this.#open(at, O.RDONLY | O.NONBLOCK | O.NOCTTY)
    try {
      const stat = known(fd)
      assertFile(stat)
      const size = Number(stat.size)
      if (size > MAX_FILE_BYTES || isCached(fd.number, size) !== 1 || readingWrites(stat, this.#accessTimes, Date.now())) throw new WouldWait()
      return { stat, again: () => known(fd), read: (into, offset) => read(fd, into, offset, size), [Symbol.dispose]: () => fd[Symbol.dispose]() }
    } catch (error) {
      fd[Symbol.dispose]()
      throw error
    }
  }

  #open(at: Admitted, flags: number): Fd {
    if (!isAdmitted(at)) throw new TypeError("an admitted path is needed")
    // Whether the root still is where it was is for a lane to say.
    if (at.isRoot) throw new WouldWait()
    const number = openat2(this.#fd.number, at.text, flags | O.NOFOLLOW, CACHED)
    if (number < 0) throw new WouldWait()
    return Fd.own(number)
  }

  [Symbol.dispose](): void {
    this.#fd[Symbol.dispose]()
  }
}

function known(fd: Fd): Stat {
  const stat = statOf(fd)
  if (typeof stat === "number") throw new WouldWait()
  return stat
}

function assertFile({ type }: Stat): void {
  if (type !== "file") throw new WouldWait()
}

/** @param size of the file: what is short of that has been taken back meanwhile */
function read(fd: Fd, into: Uint8Array, offset: number, size: number): number {
  const got = preadNowait(fd.number, into, offset)
  if (got < Math.min(into.length, size - offset)) throw new WouldWait()
  return got
}
