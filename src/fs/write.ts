/** Bytes to disk: every short write, interruption and failed flush has its answer here. */
import { E, refusal, strerror } from "./errno.ts"
import type { Fd } from "./fd.ts"
import { fsync, write } from "./libc.unsafe.ts"

/** Takes an event for the operator's log. */
export type Log = (event: string, fields: Readonly<Record<string, unknown>>) => void

/** write(2) and fsync(2) may be interrupted; a kernel that does nothing else is a failure. */
const INTERRUPTIONS = 100

function uninterrupted(call: () => number): number {
  let status = -E.EINTR
  for (let tries = 0; status === -E.EINTR && tries < INTERRUPTIONS; tries++) status = call()
  return status
}

/** Writes all bytes at the descriptor's position. A full disk shows as a short write first, and only then as an error. Throws MUTATION_IO_ERROR. */
export function writeAll(fd: Fd, bytes: Uint8Array, given: string): void {
  for (let done = 0; done < bytes.length;) {
    const status = uninterrupted(() => write(fd.number, bytes.subarray(done)))
    if (status <= 0) throw refusal(status === 0 ? -E.EIO : status, given, "changing")
    done += status
  }
}

/** fsync of what is not published yet: a failure stops the mutation. Throws MUTATION_IO_ERROR. */
export function sync(fd: Fd, given: string): void {
  const status = uninterrupted(() => fsync(fd.number))
  if (status < 0) throw refusal(status, given, "changing")
}

/**
 * fsync of a directory whose change everybody can see already. A failure means "may not survive a crash", not "did not
 * happen", so it is told to the operator and the mutation succeeds (seed §6).
 */
export function syncDirectory(dir: Fd, given: string, log: Log): void {
  const status = uninterrupted(() => fsync(dir.number))
  if (status < 0) log("directory_fsync_failed", { path: given, error: strerror(-status) })
}
