/** Opens what lies below an open directory, through no symlink and not out of it. */
import { E } from "./errno.ts"
import { Fd } from "./fd.ts"
import { O, RESOLVE } from "./flags.ts"
import { openat, openat2 } from "./libc.unsafe.ts"
import { statOf } from "./stat.ts"

/** Whether filesystems mounted further down are entered. */
export type Mounts = "cross" | "stay"

const BENEATH = RESOLVE.BENEATH | RESOLVE.NO_SYMLINKS | RESOLVE.NO_MAGICLINKS
/** openat2(2): a racing rename anywhere may answer EAGAIN; beyond a few tries the walk by component decides. */
const TRIES = 8
/** No openat2 here (an old kernel, a seccomp filter), no luck with it, or a path that is too long for one call. */
const WALK_INSTEAD = new Set([E.ENOSYS, E.EPERM, E.EAGAIN, E.ENAMETOOLONG].map((errno) => -errno))

type Name = string | Uint8Array

/**
 * Opens `names`, each a component, below `dir`; none = the directory itself. Returns a descriptor's number or -errno:
 * ELOOP or ENOTDIR for a symlink on the way, EXDEV for a mount with "stay".
 * @param flags of open(2); O_NOFOLLOW is always added
 */
export function openBeneath(dir: Fd, names: readonly string[], flags: number, mounts: Mounts = "cross"): number {
  if (names.length === 0) return openat(dir.number, ".", flags)
  const resolve = BENEATH | (mounts === "stay" ? RESOLVE.NO_XDEV : 0)
  const path = names.join("/")
  let status: number = -E.EAGAIN
  for (let tries = 0; status === -E.EAGAIN && tries < TRIES; tries++) status = openat2(dir.number, path, flags | O.NOFOLLOW, resolve)
  return WALK_INSTEAD.has(status) ? walkBeneath(dir, names, flags, mounts) : status
}

/** One entry of an open directory, named by its bytes; otherwise as openBeneath. */
export function openEntry(dir: Fd, name: Name, flags: number, mounts: Mounts): number {
  const resolve = BENEATH | (mounts === "stay" ? RESOLVE.NO_XDEV : 0)
  const status = openat2(dir.number, name, flags | O.NOFOLLOW, resolve)
  return WALK_INSTEAD.has(status) ? openComponent(dir, name, flags, mounts) : status
}

/** The same without openat2(2), a component at a time. */
export function walkBeneath(dir: Fd, names: readonly string[], flags: number, mounts: Mounts): number {
  let at = dir.lend()
  for (const [index, name] of names.entries()) {
    using parent = at
    const last = index === names.length - 1
    const status = openComponent(parent, name, last ? flags : O.PATH | O.DIRECTORY, mounts)
    if (status < 0 || last) return status
    at = Fd.own(status)
  }
  return -E.ENOENT
}

/** Tells a mount by its device alone: a bind mount of the same filesystem is not seen on kernels without openat2. */
function openComponent(dir: Fd, name: Name, flags: number, mounts: Mounts): number {
  const number = openat(dir.number, name, flags | O.NOFOLLOW)
  if (number < 0 || mounts === "cross") return number
  const fd = Fd.own(number)
  const inside = statOf(dir), entry = statOf(fd)
  if (typeof inside !== "number" && typeof entry !== "number" && inside.dev === entry.dev) return number
  fd[Symbol.dispose]()
  return -E.EXDEV
}
