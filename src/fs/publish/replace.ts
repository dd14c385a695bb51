/** New content for a file that exists: everybody sees the old file whole, then the new one whole (contract §5, edit_text_file). */
import type { Fd } from "../fd.ts"
import type { DirEntry } from "../root.ts"
import type { Stat } from "../stat.ts"
import { type Log, sync, writeAll } from "../write.ts"
import { copyMetadata } from "./metadata.ts"
import { settle } from "./settle.ts"
import { NamedTemp, openNameless } from "./temp.ts"
import { assertUnchanged } from "./unchanged.ts"

/** Nobody else may read the temporary file before it has the mode of the original. */
const PRIVATE = 0o600

/** The file that is to be replaced: open, and as the decision to replace it found it. */
export interface Original {
  readonly fd: Fd
  readonly stat: Stat
}

/**
 * Puts a file with these bytes and the original's owner, mode and attributes in the original's place. Returns the new
 * file as it is after publication, -errno when that could not be seen. Throws METADATA_PRESERVATION_FAILED, REVISION_CONFLICT
 * when `entry` no longer holds the original as it was, or what the system refuses; then the original is untouched and
 * nothing is left over.
 * @param given the path as the caller wrote it
 */
export function replaceFile(entry: DirEntry, original: Original, bytes: Uint8Array, given: string, log: Log): Stat | number {
  using nameless = openNameless(entry.dir, PRIVATE, given)
  if (nameless !== null) {
    // Named only for the rename: a kill while it is written and flushed leaves nothing behind.
    fill(nameless, original, bytes, given)
    using temp = NamedTemp.of(nameless, entry.dir, given)
    if (temp !== null) return putInPlace(temp, entry, original, given, log)
  }
  using temp = NamedTemp.create(entry.dir, PRIVATE, given)
  fill(temp.fd, original, bytes, given)
  return putInPlace(temp, entry, original, given, log)
}

/** Content before metadata, since a write clears setuid, setgid and capabilities; both before the flush. */
function fill(file: Fd, original: Original, bytes: Uint8Array, given: string): void {
  writeAll(file, bytes, given)
  copyMetadata(original.fd, original.stat, file, given)
  sync(file, given)
}

function putInPlace(temp: NamedTemp, entry: DirEntry, original: Original, given: string, log: Log): Stat | number {
  temp.assertOurs()
  assertUnchanged(entry, original.stat, given)
  temp.renameTo(entry.leaf, 0)
  return settle(entry.dir, temp.fd, given, log)
}
