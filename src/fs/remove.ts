/** One name taken away: of a file, or of an empty directory. */
import { E, refusal } from "./errno.ts"
import { AT } from "./flags.ts"
import { unlinkat } from "./libc.unsafe.ts"
import type { DirEntry } from "./root.ts"
import { type Log, syncDirectory } from "./write.ts"

/** Throws what unlinkat(2) refuses. */
export function removeFile({ dir, leaf }: DirEntry, given: string, log: Log): void {
  const status = unlinkat(dir.number, leaf, 0)
  if (status < 0) throw refusal(status, given, "changing")
  syncDirectory(dir, given, log)
}

/** False when it is not empty: decided by unlinkat(2) itself, so hidden and denied entries count. Throws what else that refuses. */
export function removeDirectory({ dir, leaf }: DirEntry, given: string, log: Log): boolean {
  const status = unlinkat(dir.number, leaf, AT.REMOVEDIR)
  // POSIX lets a filesystem say EEXIST for ENOTEMPTY.
  if (status === -E.ENOTEMPTY || status === -E.EEXIST) return false
  if (status < 0) throw refusal(status, given, "changing")
  syncDirectory(dir, given, log)
  return true
}
