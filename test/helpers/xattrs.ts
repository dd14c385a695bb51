/** Extended attributes of test files, through the same binding as the program's. */
import { Fd } from "../../src/fs/fd.ts"
import { AT, O } from "../../src/fs/flags.ts"
import { fgetxattr, flistxattr, fsetxattr, openat } from "../../src/fs/libc.unsafe.ts"

function open(path: string): Fd {
  return Fd.own(openat(AT.FDCWD, path, O.RDONLY))
}

/** Returns 0 or -errno. */
export function setXattr(path: string, name: string, value: string | Uint8Array): number {
  using fd = open(path)
  return fsetxattr(fd.number, name, typeof value === "string" ? Buffer.from(value) : value)
}

/** Name → value in hex, sorted by name. */
export function xattrsOf(path: string): [string, string][] {
  using fd = open(path)
  const buffer = new Uint8Array(65_536)
  const names = Buffer.from(buffer.slice(0, Math.max(0, flistxattr(fd.number, buffer)))).toString().split("\0").slice(0, -1)
  return names.sort().map((name) => {
    const size = fgetxattr(fd.number, name, buffer)
    return [name, Buffer.from(buffer.subarray(0, size)).toString("hex")]
  })
}

const TAGS = { userObj: 1, user: 2, groupObj: 4, group: 8, mask: 16, other: 32 } as const
const NO_ID = 0xffffffff

/** The value of system.posix_acl_access or _default (linux/posix_acl_xattr.h): [tag, permissions, id]. */
export function acl(...entries: readonly (readonly [keyof typeof TAGS, number, number?])[]): Buffer {
  const bytes = Buffer.alloc(4 + 8 * entries.length)
  bytes.writeUInt32LE(2, 0)
  for (const [index, [tag, permissions, id]] of entries.entries()) {
    bytes.writeUInt16LE(TAGS[tag], 4 + 8 * index)
    bytes.writeUInt16LE(permissions, 6 + 8 * index)
    bytes.writeUInt32LE(id ?? NO_ID, 8 + 8 * index)
  }
  return bytes
}
