/** A symbolic link copied as itself, wherever it points. */
import type { Fd } from "../fd.ts"
import { type Name, readlinkat, symlinkat, unlinkat, utimensat } from "../libc.unsafe.ts"
import { tempName } from "../publish/temp-name.ts"
import type { Named } from "../rename.ts"
import { statAt } from "../stat.ts"

const TARGET_BYTES = 4096
const target = new Uint8Array(new ArrayBuffer(TARGET_BYTES))

/** Makes the same link, with its times, under a name that nothing has. 0 or -errno; then there may be a link without its times. */
export function copyLink(from: Fd, name: Name, to: Fd, as: Name): number {
  const stat = statAt(from, name)
  if (typeof stat === "number") return stat
  const length = readlinkat(from.number, name, target)
  if (length < 0) return length
  const status = symlinkat(target.subarray(0, length), to.number, as)
  return status < 0 ? status : utimensat(to.number, as, stat.atimeNs, stat.mtimeNs)
}

/**
 * The same where it is seen, and so in one step: the link is complete under a temporary name, and `rename` gives it its own.
 * 0 or -errno; then nothing has changed.
 */
export function publishLink(from: Named, dir: Fd, rename: (made: Named) => number): number {
  const temp = { dir, leaf: tempName() }
  const made = copyLink(from.dir, from.leaf, dir, temp.leaf)
  const status = made < 0 ? made : rename(temp)
  if (status < 0) unlinkat(dir.number, temp.leaf, 0)
  return status
}
