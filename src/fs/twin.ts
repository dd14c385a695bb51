/** The second name that a kill between a create's link and unlink leaves: known by its reserved name and its inode. */
import { TEMP_PREFIX } from "../workdir/reserved.ts"
import { batches } from "./dir.ts"
import { E, refusal } from "./errno.ts"
import { Fd } from "./fd.ts"
import { fstat, type OpenFile } from "./file.ts"
import { O } from "./flags.ts"
import { openat, unlinkat } from "./libc.unsafe.ts"
import type { DirEntry } from "./root.ts"
import { sameInode, type Stat, statAt } from "./stat.ts"

/** The temporary names of the open file in its own directory. A file with one name costs nothing. */
export function twinsOf({ dir }: DirEntry, { stat }: Pick<OpenFile, "stat">, given: string): string[] {
  if (stat.nlink === 1) return []
  const twins: string[] = []
  using listing = openListing(dir, given)
  for (const batch of batches(listing, given, "changing")) {
    for (const { name } of batch) {
      if (name === null || !name.startsWith(TEMP_PREFIX)) continue
      const twin = statAt(dir, name)
      if (typeof twin !== "number" && sameInode(twin, stat)) twins.push(name)
      if (typeof twin === "number" && twin !== -E.ENOENT) throw refusal(twin, given, "changing")
    }
  }
  return twins
}

/** Removes them; to be called under the mutation lock. Returns the file as it is then. */
export function removeTwins(entry: DirEntry, file: OpenFile, twins: readonly string[], given: string): Stat {
  if (twins.length === 0) return file.stat
  unlinkTwins(entry, twins)
  return fstat(file.fd, given, "changing")
}

/** The same for a file that need not be opened because it leaves its directory: there, nobody would know the twin for ours any more. */
export function dropTwins(entry: DirEntry, stat: Stat, given: string): void {
  if (stat.type === "file") unlinkTwins(entry, twinsOf(entry, { stat }, given))
}

function unlinkTwins({ dir }: DirEntry, twins: readonly string[]): void {
  for (const name of twins) unlinkat(dir.number, name, 0)
}

/** A descriptor of its own: two listings of one would share their position. */
function openListing(dir: Fd, given: string): Fd {
  const number = openat(dir.number, ".", O.RDONLY | O.DIRECTORY)
  if (number < 0) throw refusal(number, given, "changing")
  return Fd.own(number)
}
