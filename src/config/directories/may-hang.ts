/** Whether a path leads to a file system that may wait for a server for ever. Asks nothing of such a one. */
import { readlinkSync } from "node:fs"
import path from "node:path"
import { type Mount, mountOf } from "./mounts.ts"

/** Those that answer out of this machine's own memory and disks. */
const LOCAL: ReadonlySet<string> = new Set([
  "ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "nilfs2", "overlay", "tmpfs", "ramfs", "rootfs", "devtmpfs",
  "squashfs", "erofs", "iso9660", "udf", "vfat", "exfat", "ntfs3", "proc", "sysfs",
])
/** path_resolution(7): beyond that it is ELOOP, which is an answer. */
const MAX_LINKS = 40

/** Follows the links of an absolute path by hand, and stops before the first step onto a file system that is not local. */
export function mayHang(absolute: string, mounts: readonly Mount[]): boolean {
  const rest = absolute.split("/")
  let at = "/"
  for (let links = 0; links <= MAX_LINKS; ) {
    const name = rest.shift()
    if (name === undefined) return false
    const next = path.join(at, name)
    if (!LOCAL.has(mountOf(next, mounts)?.type ?? "")) return true
    const target = targetOf(next)
    if (target === null) {
      at = next
      continue
    }
    links++
    if (target.startsWith("/")) at = "/"
    rest.unshift(...target.split("/"))
  }
  return false
}

/** null for what is no link. */
function targetOf(entry: string): string | null {
  try {
    return readlinkSync(entry)
  } catch {
    return null
  }
}
