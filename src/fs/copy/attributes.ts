/** What a copy keeps of its source besides the bytes: mode, times and extended attributes (contract §6). The owner is the process. */
import { ToolError } from "../../errors.ts"
import { E, strerror } from "../errno.ts"
import type { Fd } from "../fd.ts"
import { fchmod, futimens } from "../libc.unsafe.ts"
import { type Stat, statOf } from "../stat.ts"
import { copyXattrs } from "../xattr.ts"

const MODE_BITS = 0o7777
const SETUID = 0o4000, SETGID = 0o2000

/** To be called after the last write, which clears setuid. Throws METADATA_PRESERVATION_FAILED. @param stat of `from` */
export function copyAttributes(from: Fd, stat: Stat, to: Fd, given: string): void {
  // Another filesystem may have no attributes at all, as its own files show: there is nothing to keep them in.
  const attributes = copyXattrs(from, to)
  if (attributes !== -E.EOPNOTSUPP) demand(attributes, "extended attributes", given)
  demand(fchmod(to.number, safeMode(stat, to)), "mode", given)
  copyTimes(stat, to, given)
}

export function copyTimes({ atimeNs, mtimeNs }: Stat, to: Fd, given: string): void {
  demand(futimens(to.number, atimeNs, mtimeNs), "times", given)
}

/** A setuid program of somebody else must not become one of ours; cp(1) -p drops the bits likewise. */
function safeMode({ mode, uid, gid }: Stat, to: Fd): number {
  const bits = mode & MODE_BITS
  if ((bits & (SETUID | SETGID)) === 0) return bits
  const copy = statOf(to)
  if (typeof copy === "number") return bits & ~(SETUID | SETGID)
  return bits & ~(copy.uid === uid ? 0 : SETUID) & ~(copy.gid === gid ? 0 : SETGID)
}

function demand(status: number, part: string, given: string): void {
  if (status >= 0) return
  throw new ToolError("METADATA_PRESERVATION_FAILED", { path: given, detail: `the ${part} cannot be reproduced by this process (${strerror(-status)}); nothing was made` })
}
