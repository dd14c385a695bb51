/** A symbolic link copied as itself, wherever it points. */
import { tempName } from "./temp-name.ts"
import { type Name, readlinkat, symlinkat, unlinkat, utimensat } from "./libc.unsafe.ts"
import { type Named, renameOver } from "./rename.ts"
import { statAt } from "./stat.ts"
import type { Fd } from "./fd.ts"

const TARGET_BYTES = 4096
const target = new Uint8Array(new ArrayBuffer(TARGET_BYTES))

/** Makes the same link, with its times, under a name that nothing has. 0 or -errno. */
export function copyLink(from: Fd, name: Name, to: Fd, as: Name): number {
  const stat = statAt(from, name)
  if (typeof stat === "number") return stat
  const length = readlinkat(from.number, name, target)
  if (length < 0) return length
  const status = symlinkat(target.subarray(0, length), to.number, as)
  return status < 0 ? status : utimensat(to.number, as, stat.atimeNs, stat.mtimeNs)
}

/** The same in the place of a file or a link, which gives way in one step. 0 or -errno; then nothing has changed. */
export function copyLinkOver(from: Named, to: Named): number {
  const temp = { dir: to.dir, leaf: tempName() }
  const made = copyLink(from.dir, from.leaf, temp.dir, temp.leaf)
  const status = made < 0 ? made : renameOver(temp, to)
  if (status < 0) unlinkat(temp.dir.number, temp.leaf, 0)
  return status
}
