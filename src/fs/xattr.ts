/** Extended attributes, ACLs and labels among them, by descriptor: the same set on one file as on another. */
import { E } from "./errno.ts"
import type { Fd } from "./fd.ts"
import { fgetxattr, flistxattr, fremovexattr, fsetxattr } from "./libc.unsafe.ts"

/** XATTR_LIST_MAX and XATTR_SIZE_MAX of linux/limits.h. */
const MAX_BYTES = 65_536
const buffer = new Uint8Array(new ArrayBuffer(MAX_BYTES))

/**
 * Gives `to` exactly the attributes of `from`: missing ones are set, others removed (an ACL that a new file inherits from
 * its directory), equal ones left alone, since setting a label again may need a right that keeping it does not.
 * Returns 0 or -errno.
 */
export function copyXattrs(from: Fd, to: Fd): number {
  const wanted = attributesOf(from)
  if (typeof wanted === "number") return wanted
  const present = attributesOf(to)
  if (typeof present === "number") return present
  for (const name of present.keys()) {
    const status = wanted.has(name) ? 0 : fremovexattr(to.number, bytesOf(name))
    if (status < 0) return status
  }
  for (const [name, value] of wanted) {
    const status = present.get(name)?.equals(value) === true ? 0 : fsetxattr(to.number, bytesOf(name), value)
    if (status < 0) return status
  }
  return 0
}

/** Whether both have the same attributes; false when that cannot be told. */
export function sameXattrs(a: Fd, b: Fd): boolean {
  const left = attributesOf(a), right = attributesOf(b)
  if (typeof left === "number" || typeof right === "number" || left.size !== right.size) return false
  return [...left].every(([name, value]) => right.get(name)?.equals(value) === true)
}

/** Values by name; names are bytes, kept as Latin-1 so that they can be keys. -errno when they cannot be read. */
function attributesOf(file: Fd): Map<string, Buffer> | number {
  const attributes = new Map<string, Buffer>()
  const length = flistxattr(file.number, buffer)
  if (length === -E.EOPNOTSUPP) return attributes
  if (length < 0) return length
  const names = Buffer.from(buffer.subarray(0, length)).toString("latin1").split("\0").slice(0, -1)
  for (const name of names) {
    const size = fgetxattr(file.number, bytesOf(name), buffer)
    // Removed since it was listed.
    if (size === -E.ENODATA) continue
    if (size < 0) return size
    attributes.set(name, Buffer.from(buffer.subarray(0, size)))
  }
  return attributes
}

function bytesOf(name: string): Buffer {
  return Buffer.from(name, "latin1")
}
