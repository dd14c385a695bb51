/** A file that gives way to a new one, which keeps its owner, mode and attributes. */
import { ToolError } from "../../errors.ts"
import { openRegular } from "../../fs/file.ts"
import type { Followed } from "../../fs/follow.ts"
import { type Original, replaceFile } from "../../fs/publish/replace.ts"
import { removeTwins, twinsOf } from "../../fs/twin.ts"
import { assertWritable } from "../../fs/writable.ts"
import type { Log } from "../../fs/write.ts"

/** Puts a file with these bytes in the place of the one at `entry`. To be called under the mutation lock. Throws what withOriginal does. */
export function overwriteFile(entry: Followed, bytes: Uint8Array, log: Log): void {
  withOriginal(entry, (original) => replaceFile(entry, original, bytes, entry.given, log))
}

/**
 * Opens the file at `entry` and hands it to `replace`, once it may be replaced: the process can write it, and it has one
 * name (a crash twin of ours is taken away). To be called under the mutation lock.
 * Throws NOT_A_FILE, UNSUPPORTED_FILE_TYPE, ACCESS_DENIED or MULTIPLE_HARDLINKS_NOT_SUPPORTED.
 */
export function withOriginal<T>(entry: Followed, replace: (original: Original) => T): T {
  using file = openRegular(entry, entry.given, "changing")
  assertWritable(entry, entry.given)
  const twins = twinsOf(entry, file, entry.given)
  if (file.stat.nlink > 1 + twins.length) throw new ToolError("MULTIPLE_HARDLINKS_NOT_SUPPORTED", { path: entry.given })
  const stat = removeTwins(entry, file, twins, entry.given)
  try {
    return replace({ fd: file.fd, stat })
  } catch (error) {
    throw inOwnWords(error, entry.given)
  }
}

/** This service knows no revisions. */
function inOwnWords(error: unknown, given: string): unknown {
  if (!(error instanceof ToolError) || error.code !== "REVISION_CONFLICT") return error
  return new ToolError("REVISION_CONFLICT", { path: given, detail: "another program changed it at the same moment", advice: "look at what changed, then retry" })
}
