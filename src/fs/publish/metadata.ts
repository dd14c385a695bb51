/** Owner, mode and attributes of a file given to the one that takes its place. Losing a bit, an ACL or a label silently would be worse than a refusal (seed §6). */
import { ToolError } from "../../errors.ts"
import { E, strerror } from "../errno.ts"
import type { Fd } from "../fd.ts"
import { fchmod, fchown } from "../libc.unsafe.ts"
import { type Stat, statOf } from "../stat.ts"
import { copyXattrs, sameXattrs } from "../xattr.ts"

const MODE_BITS = 0o7777

/**
 * Gives `to` the metadata of `from`. Owner first, since chown(2) clears setuid and setgid; attributes last, since a
 * change of owner may disturb them. Throws METADATA_PRESERVATION_FAILED, which names the part.
 * @param stat of `from`
 */
export function copyMetadata(from: Fd, stat: Stat, to: Fd, given: string): void {
  demand(copyOwner(stat, to), "owner", given)
  demand(fchmod(to.number, stat.mode & MODE_BITS), "mode", given)
  demand(copyXattrs(from, to), "extended attributes", given)
  demand(sameMode(stat, to), "mode", given)
}

/** True when copyMetadata() would change nothing. */
export function sameMetadata(a: { readonly fd: Fd; readonly stat: Stat }, b: { readonly fd: Fd; readonly stat: Stat }): boolean {
  return a.stat.uid === b.stat.uid && a.stat.gid === b.stat.gid && a.stat.mode === b.stat.mode && sameXattrs(a.fd, b.fd)
}

/** Only when it differs: a process without the right to give files away can still rewrite its own. */
function copyOwner({ uid, gid }: Stat, to: Fd): number {
  const now = statOf(to)
  if (typeof now === "number") return now
  return now.uid === uid && now.gid === gid ? 0 : fchown(to.number, uid, gid)
}

/** fchmod(2) may succeed and still drop setgid, when the caller is not in the group; an ACL may change the group bits. */
function sameMode({ mode }: Stat, to: Fd): number {
  const now = statOf(to)
  if (typeof now === "number") return now
  return (now.mode & MODE_BITS) === (mode & MODE_BITS) ? 0 : -E.EPERM
}

function demand(status: number, part: string, given: string): void {
  if (status >= 0) return
  throw new ToolError("METADATA_PRESERVATION_FAILED", { path: given, detail: `the ${part} of the file cannot be reproduced by this process (${strerror(-status)}); the file is untouched` })
}
