/** renameat2(2) as the two ways a thing gets a name: one that nothing has, or one that something gives up. */
import { E } from "./errno.ts"
import type { Fd } from "./fd.ts"
import { AT, RENAME_EXCHANGE, RENAME_NOREPLACE } from "./flags.ts"
import { linkat, mkdirat, renameat2, unlinkat } from "./libc.unsafe.ts"
import { type EntryType, sameInode, statAt } from "./stat.ts"

/** A name in an open directory. */
export interface Named {
  readonly dir: Fd
  readonly leaf: string
}

/** renameat2(2): flags that a filesystem or an old kernel does not know. */
const NO_FLAGS = new Set([E.EINVAL, E.ENOSYS].map((errno) => -errno))

/**
 * Moves `from` to a name that nothing has: -EEXIST when something has it, decided by the kernel at that moment.
 * @param type of what is moved
 * @returns 0 or -errno; -EXDEV between two filesystems
 */
export function renameNew(from: Named, to: Named, type: EntryType): number {
  const status = renameat2(from.dir.number, from.leaf, to.dir.number, to.leaf, RENAME_NOREPLACE)
  if (!NO_FLAGS.has(status)) return status
  return type === "directory" ? claimAndRename(from, to) : linkAndUnlink(from, to)
}

/** An empty directory takes the name, which fails if anything has it, and gives way to the one that comes, which fails unless it is still empty. */
function claimAndRename(from: Named, to: Named): number {
  const made = mkdirat(to.dir.number, to.leaf, 0o700)
  if (made < 0) return made
  const status = renameat2(from.dir.number, from.leaf, to.dir.number, to.leaf, 0)
  if (status < 0) unlinkat(to.dir.number, to.leaf, AT.REMOVEDIR)
  return status
}

/** A kill in between leaves both names. */
function linkAndUnlink(from: Named, to: Named): number {
  const linked = linkat(from.dir.number, from.leaf, to.dir.number, to.leaf, 0)
  if (linked < 0) return linked
  const gone = unlinkat(from.dir.number, from.leaf, 0)
  if (gone < 0) unlinkat(to.dir.number, to.leaf, 0)
  return gone
}

/**
 * Moves `from` to a name whose holder goes, in one step: a file or a link to that of a file or a link, a directory to that
 * of an empty directory (-ENOTEMPTY when it is not). 0 or -errno.
 */
export function renameOver(from: Named, to: Named): number {
  const status = renameat2(from.dir.number, from.leaf, to.dir.number, to.leaf, 0)
  if (status === 0) return dropSecondName(from, to)
  // rename(2) lets a filesystem say either; XFS says this one.
  return status === -E.EEXIST ? -E.ENOTEMPTY : status
}

/** Between two names of one file or link rename(2) does nothing, and says that it did. */
function dropSecondName(from: Named, to: Named): number {
  const left = statAt(from.dir, from.leaf), moved = statAt(to.dir, to.leaf)
  if (typeof left === "number" || typeof moved === "number" || !sameInode(left, moved)) return 0
  return unlinkat(from.dir.number, from.leaf, 0)
}

/**
 * Moves a directory to the name of a link, which rename(2) would refuse: the two change places, and the link goes. Where
 * that cannot be, nothing has changed. 0 or -errno.
 */
export function renameOverLink(from: Named, to: Named): number {
  const exchange = (): number => renameat2(from.dir.number, from.leaf, to.dir.number, to.leaf, RENAME_EXCHANGE)
  const status = exchange()
  if (status < 0) return status
  const given = statAt(from.dir, from.leaf)
  // Only a link gives way: another program may have put something else there.
  const gone = typeof given === "number" ? given : given.type === "symlink" ? unlinkat(from.dir.number, from.leaf, 0) : -E.EEXIST
  if (gone < 0) exchange()
  return gone
}
