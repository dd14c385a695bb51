/** A copied file gets its name: a new one, or that of a file or link which gives way. */
import { copyTimes } from "../copy/attributes.ts"
import { E, refusal } from "../errno.ts"
import { RENAME_NOREPLACE } from "../flags.ts"
import type { DirEntry } from "../root.ts"
import type { Stat } from "../stat.ts"
import { type Log, sync, syncDirectory } from "../write.ts"
import { copyMetadata } from "./metadata.ts"
import type { Original } from "./replace.ts"
import { linkOpen, type NamedTemp } from "./temp.ts"
import { assertUnchanged } from "./unchanged.ts"

/** Throws PATH_ALREADY_EXISTS when something has the name, decided by the kernel at that moment. */
export function publishCopy(temp: NamedTemp, { dir, leaf }: DirEntry, given: string, log: Log): void {
  const status = linkOpen(temp.fd, dir, leaf)
  if (status === -E.EEXIST) throw refusal(status, given, "changing")
  if (status < 0) {
    // No links here, or nothing to name the open file by: if this cannot be either, it says why.
    temp.assertOurs()
    temp.renameTo(leaf, RENAME_NOREPLACE)
  }
  temp.removeName()
  syncDirectory(dir, given, log)
}

/** In the place of a link. */
export function publishCopyOver(temp: NamedTemp, { dir, leaf }: DirEntry, given: string, log: Log): void {
  temp.assertOurs()
  temp.renameTo(leaf, 0)
  syncDirectory(dir, given, log)
}

/** In the place of a file, whose owner, mode and attributes it takes; the times stay those of the `source`. */
export function publishCopyFor(temp: NamedTemp, entry: DirEntry, original: Original, source: Stat, given: string, log: Log): void {
  copyMetadata(original.fd, original.stat, temp.fd, given)
  copyTimes(source, temp.fd, given)
  sync(temp.fd, given)
  assertUnchanged(entry, original.stat, given)
  publishCopyOver(temp, entry, given, log)
}
