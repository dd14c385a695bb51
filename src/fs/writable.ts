/** Whether the process may write a file itself, which the right to write in its directory does not say. */
import { E, refusal } from "./errno.ts"
import { O, W_OK } from "./flags.ts"
import { close, faccessat, openat } from "./libc.unsafe.ts"
import type { DirEntry } from "./root.ts"

/** Throws ACCESS_DENIED and the like. A read-only filesystem is none of these: the change itself finds out, after all other checks. */
export function assertWritable({ dir, leaf }: DirEntry, given: string): void {
  let status = faccessat(dir.number, leaf, W_OK)
  // Before Linux 5.8: opening it answers the same question.
  if (status === -E.ENOSYS) status = openat(dir.number, leaf, O.WRONLY | O.NOFOLLOW | O.NONBLOCK | O.NOCTTY)
  if (status < 0 && status !== -E.EROFS) throw refusal(status, given, "changing")
  if (status > 0) close(status)
}
