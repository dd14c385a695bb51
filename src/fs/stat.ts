/** What an inode says of itself, read with statx(2): one layout on every architecture, 64-bit exact. */
import type { Identity } from "../workdir/revision.ts"
import type { Fd } from "./fd.ts"
import { type Name, STATX_BYTES, statx } from "./libc.unsafe.ts"

export type EntryType = "file" | "directory" | "symlink" | "other"

export interface Stat extends Identity {
  readonly type: EntryType
  readonly atimeNs: bigint
  /** chattr +a: nothing in it can be renamed or removed. Not every filesystem says. */
  readonly appendOnly: boolean
}

const buffer = new Uint8Array(new ArrayBuffer(STATX_BYTES))
const view = new DataView(buffer.buffer)

/** linux/stat.h */
const STATX_ATTR_APPEND = 0x20

const TYPES: Readonly<Record<number, EntryType>> = { 0o100000: "file", 0o040000: "directory", 0o120000: "symlink" }

export function typeOf(mode: number): EntryType {
  return TYPES[mode & 0o170000] ?? "other"
}

/** glibc's makedev(3), so that the number is the st_dev of stat(2). */
function device(major: number, minor: number): bigint {
  const high = BigInt(major), low = BigInt(minor)
  return ((high & 0xfffff000n) << 32n) | ((high & 0xfffn) << 8n) | ((low & 0xffffff00n) << 12n) | (low & 0xffn)
}

/** Offsets of struct statx, statx(2). */
function decode(): Stat {
  const mode = view.getUint16(28, true)
  const time = (at: number) => view.getBigInt64(at, true) * 1_000_000_000n + BigInt(view.getUint32(at + 8, true))
  return {
    type: typeOf(mode),
    nlink: view.getUint32(16, true),
    uid: view.getUint32(20, true),
    gid: view.getUint32(24, true),
    mode,
    ino: view.getBigUint64(32, true),
    size: view.getBigUint64(40, true),
    appendOnly: (view.getUint32(8, true) & STATX_ATTR_APPEND) !== 0,
    atimeNs: time(64),
    ctimeNs: time(96),
    mtimeNs: time(112),
    dev: device(view.getUint32(136, true), view.getUint32(140, true)),
  }
}

/** lstat of `name` in `dir`; -errno when it fails. */
export function statAt(dir: Fd, name: Name): Stat | number {
  const status = statx(dir.number, name, buffer)
  return status < 0 ? status : decode()
}

/** What a listing says of an entry: in numbers, which hold every size and second there is, at half the price of a Stat (measured). */
export interface Glance {
  readonly type: EntryType
  /** Bytes. */
  readonly size: number
  /** Last change of the content, in seconds since the epoch. */
  readonly mtimeS: number
}

/** lstat of `name` in `dir`, as far as a listing needs it; -errno when it fails. */
export function glanceAt(dir: Fd, name: Name): Glance | number {
  const status = statx(dir.number, name, buffer)
  if (status < 0) return status
  return { type: typeOf(view.getUint16(28, true)), size: word(view.getUint32(44, true), 40), mtimeS: word(view.getInt32(116, true), 112) }
}

/** A 64-bit value whose low half is at `at`, without the detour over a BigInt. */
function word(high: number, at: number): number {
  return high * 2 ** 32 + view.getUint32(at, true)
}

/** fstat of an open descriptor; -errno when it fails. */
export function statOf(fd: Fd): Stat | number {
  return statAt(fd, "")
}

export function sameInode(a: Identity, b: Identity): boolean {
  return a.ino === b.ino && a.dev === b.dev
}
