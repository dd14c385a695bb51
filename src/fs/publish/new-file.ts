/** A new file appears whole or not at all, and never in the place of another (contract §5, create_text_file). */
import { refusal } from "../errno.ts"
import { RENAME_NOREPLACE } from "../flags.ts"
import type { DirEntry } from "../root.ts"
import type { Stat } from "../stat.ts"
import { type Log, sync, writeAll } from "../write.ts"
import { settle } from "./settle.ts"
import { linkOpen, NamedTemp, NO_LINKS, openNameless } from "./temp.ts"

/** Umask and a default ACL act on it as on any new file. */
const NEW_FILE = 0o666

/**
 * Creates the file that `entry` names. Returns it as it is after publication, -errno when that could not be seen.
 * Throws PATH_ALREADY_EXISTS or what the system refuses; then nothing was published and nothing is left over.
 * @param given the path as the caller wrote it
 */
export function publishNew(entry: DirEntry, bytes: Uint8Array, given: string, log: Log): Stat | number {
  return publishNameless(entry, bytes, given, log) ?? publishNamed(entry, bytes, given, log)
}

/** null where this filesystem cannot. */
function publishNameless({ dir, leaf }: DirEntry, bytes: Uint8Array, given: string, log: Log): Stat | number | null {
  using file = openNameless(dir, NEW_FILE, given)
  if (file === null) return null
  writeAll(file, bytes, given)
  sync(file, given)
  const status = linkOpen(file, dir, leaf)
  if (NO_LINKS.has(status)) return null
  if (status < 0) throw refusal(status, given, "changing")
  return settle(dir, file, given, log)
}

function publishNamed({ dir, leaf }: DirEntry, bytes: Uint8Array, given: string, log: Log): Stat | number {
  using temp = NamedTemp.create(dir, NEW_FILE, given)
  writeAll(temp.fd, bytes, given)
  sync(temp.fd, given)
  const status = linkOpen(temp.fd, dir, leaf)
  if (NO_LINKS.has(status)) {
    temp.assertOurs()
    temp.renameTo(leaf, RENAME_NOREPLACE)
  } else if (status < 0) {
    throw refusal(status, given, "changing")
  }
  temp.removeName()
  return settle(dir, temp.fd, given, log)
}
