/** The bytes of one open file into another, in the kernel where it can, holes kept, in pieces that a caller may pause between. */
import { E, refusal } from "../errno.ts"
import type { Fd } from "../fd.ts"
import { SEEK } from "../flags.ts"
import { copyFileRange, ftruncate, lseek, pread } from "../libc.unsafe.ts"
import { writeAll } from "../write.ts"

/** A piece takes some milliseconds. */
const PIECE_BYTES = 8_388_608
/** copy_file_range(2): what is said between two filesystems, or by one that has no such thing. */
const BY_HAND = new Set([E.EXDEV, E.EINVAL, E.ENOSYS, E.EOPNOTSUPP, E.EPERM].map((errno) => -errno))

/**
 * Copies all bytes of `from` into the empty `to`, yielding after each piece. Throws what is refused.
 * @param size of `from`; what is appended meanwhile is copied as well
 * @param given the path as the caller wrote it
 */
export function* copyContent(from: Fd, size: number, to: Fd, given: string): Generator<void, void, void> {
  if (size === 0) return
  let at = 0
  for (let hole = seek(from, 0, SEEK.HOLE, size); at < size; hole = seek(from, at, SEEK.HOLE, size)) {
    yield* copyRange(from, at, hole >= size ? Number.MAX_SAFE_INTEGER : hole, to, given)
    if (hole >= size) return
    at = seek(from, hole, SEEK.DATA, size)
  }
  // The file ends in a hole.
  const status = ftruncate(to.number, size)
  if (status < 0) throw refusal(status, given, "changing")
}

/** lseek(2) with SEEK_DATA or SEEK_HOLE; the end where there is no more of it, or no such thing. */
function seek(file: Fd, from: number, whence: number, size: number): number {
  const found = lseek(file.number, from, whence)
  return found < 0 ? size : found
}

function* copyRange(from: Fd, start: number, end: number, to: Fd, given: string): Generator<void, void, void> {
  seekTo(from, start, given)
  seekTo(to, start, given)
  for (let at = start; at < end;) {
    const copied = copyFileRange(from.number, to.number, Math.min(PIECE_BYTES, end - at))
    if (copied === -E.EINTR) continue
    // 0 at the very start is what some network filesystems say for "cannot": reading tells whether it is the end.
    if (BY_HAND.has(copied) || (copied === 0 && at === start)) return yield* copyByHand(from, at, end, to, given)
    if (copied < 0) throw refusal(copied, given, "changing")
    if (copied === 0) return
    at += copied
    yield
  }
}

function* copyByHand(from: Fd, start: number, end: number, to: Fd, given: string): Generator<void, void, void> {
  const buffer = new Uint8Array(1_048_576)
  for (let at = start; at < end;) {
    const length = pread(from.number, buffer.subarray(0, Math.min(buffer.length, end - at)), at)
    if (length === -E.EINTR) continue
    if (length < 0) throw refusal(length, given, "changing")
    if (length === 0) return
    writeAll(to, buffer.subarray(0, length), given)
    at += length
    yield
  }
}

function seekTo(file: Fd, at: number, given: string): void {
  const status = lseek(file.number, at, SEEK.SET)
  if (status < 0) throw refusal(status, given, "changing")
}
