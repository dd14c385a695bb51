/** A write that takes its time: for threads that may block, and for a process that is about to end. */
import { writeSync } from "node:fs"
import { systemErrorCode } from "../system-error.ts"

const RETRY_MS = 50
const clock = new Int32Array(new SharedArrayBuffer(4))

/**
 * Writes all of `bytes`, waiting out whatever is in the way: a slow reader, one that has gone, a full disk.
 * A write may take less than it was given without an error (a full tmpfs does so), hence the count.
 * @param onTrouble told the errno name once for each run of failures; a descriptor that is only not ready (EAGAIN) is no trouble
 * @param patienceMs how long to go on without progress before giving up
 */
export function writeAll(fd: number, bytes: Uint8Array, onTrouble: (code: string) => void, patienceMs = Infinity): void {
  let done = 0
  let stuckMs = 0
  let told = false
  while (done < bytes.length && stuckMs < patienceMs) {
    try {
      const count = writeSync(fd, bytes, done)
      done += count
      if (count > 0) {
        stuckMs = 0
        told = false
        continue
      }
    } catch (error) {
      const code = systemErrorCode(error)
      if (code === "EINTR") continue
      if (code !== "EAGAIN" && !told) {
        told = true
        onTrouble(code)
      }
    }
    Atomics.wait(clock, 0, 0, RETRY_MS)
    stuckMs += RETRY_MS
  }
}
