/** Regular files: opened without following and without blocking, read by position. */
import { ToolError } from "../errors.ts"
import { type Doing, E, refusal } from "./errno.ts"
import { Fd } from "./fd.ts"
import { O } from "./flags.ts"
import { openat, pread } from "./libc.unsafe.ts"
import type { DirEntry } from "./root.ts"
import { type Stat, statAt, statOf } from "./stat.ts"

export interface OpenFile extends Disposable {
  readonly fd: Fd
  /** As it was right after the open. */
  readonly stat: Stat
}

/**
 * Opens the regular file at `entry` for reading. A FIFO, socket or device is recognised before it is opened, so that
 * nothing blocks and no device driver runs; the descriptor is looked at again, since the name may have changed meanwhile.
 * Throws PATH_NOT_FOUND, SYMLINK_NOT_ALLOWED, NOT_A_FILE, UNSUPPORTED_FILE_TYPE, ACCESS_DENIED or the I/O code of `doing`.
 * @param given the path as the caller wrote it
 */
export function openRegular(entry: DirEntry, given: string, doing: Doing = "reading"): OpenFile {
  const before = statAt(entry.dir, entry.leaf)
  if (typeof before === "number") throw refusal(before, given, doing)
  assertRegular(before, given)
  // O_NONBLOCK: should the name have become a FIFO in between, open(2) must not wait for a writer.
  const number = openat(entry.dir.number, entry.leaf, O.RDONLY | O.NOFOLLOW | O.NONBLOCK | O.NOCTTY)
  if (number < 0) throw refusal(number, given, doing)
  const fd = Fd.own(number)
  try {
    const stat = fstat(fd, given, doing)
    assertRegular(stat, given)
    return { fd, stat, [Symbol.dispose]: () => fd[Symbol.dispose]() }
  } catch (error) {
    fd[Symbol.dispose]()
    throw error
  }
}

/** fstat that throws. */
export function fstat(fd: Fd, given: string, doing: Doing = "reading"): Stat {
  const stat = statOf(fd)
  if (typeof stat === "number") throw refusal(stat, given, doing)
  return stat
}

/** SYMLINK_NOT_ALLOWED for a path whose last name is the link. */
export function endsInLink(given: string): ToolError {
  return new ToolError("SYMLINK_NOT_ALLOWED", { path: given, detail: "this is a symbolic link; links are not followed" })
}

function assertRegular(stat: Stat, given: string): void {
  if (stat.type === "file") return
  if (stat.type === "symlink") throw endsInLink(given)
  throw new ToolError(stat.type === "directory" ? "NOT_A_FILE" : "UNSUPPORTED_FILE_TYPE", { path: given })
}

/**
 * Fills `into` from byte `offset` on, as far as the file goes. Returns the bytes read; fewer than asked only at the end.
 * Throws the I/O code of `doing`.
 */
export function readAt(fd: Fd, into: Uint8Array, offset: number, given: string, doing: Doing = "reading"): number {
  let done = 0
  while (done < into.length) {
    const got = pread(fd.number, into.subarray(done), offset + done)
    if (got === -E.EINTR) continue
    if (got < 0) throw refusal(got, given, doing)
    if (got === 0) break
    done += got
  }
  return done
}
