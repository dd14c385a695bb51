/**
 * The libc calls that are the security boundary, one thin function each. Only this file and confine/ import bun:ffi.
 *
 * Every function returns what the call returned, or `-errno` (so "below zero" is failure), and validates every argument:
 * FFI would turn undefined, null, {} and NaN into descriptor 0. Names are strings or raw bytes, never with a NUL inside.
 * Calls are synchronous and may block: lanes make them, the event loop never does.
 */
import { FFIType, type Pointer, dlopen, ptr, read } from "bun:ffi"
import { AT, MFD, O } from "./flags.ts"

/** An entry name or relative path: text, or the bytes of a name that is not UTF-8. */
export type Name = string | Uint8Array

const F_ADD_SEALS = 1033
/** linux/posix-timers.h */
const CPUCLOCK_SCHED = 2

/** By number, since libc symbols vary and one missing symbol fails the whole dlopen. */
const NR = process.arch === "arm64"
  ? { openat2: 437, renameat2: 276, statx: 291, getdents64: 61, copy_file_range: 285, faccessat2: 439, linkat: 37, memfd_create: 279, fcntl: 25, prlimit64: 261, clock_gettime: 113 }
  : { openat2: 437, renameat2: 316, statx: 332, getdents64: 217, copy_file_range: 326, faccessat2: 439, linkat: 265, memfd_create: 319, fcntl: 72, prlimit64: 302, clock_gettime: 228 }

const SYMBOLS = {
  __errno_location: { args: [], returns: "ptr" },
  syscall: { args: ["i64", "i64", "i64", "i64", "i64", "i64", "i64"], returns: FFIType.i64_fast },
  openat: { args: ["i32", "ptr", "i32", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
  pread: { args: ["i32", "ptr", "u64", "i64"], returns: FFIType.i64_fast },
  write: { args: ["i32", "ptr", "u64"], returns: FFIType.i64_fast },
  lseek: { args: ["i32", "i64", "i32"], returns: FFIType.i64_fast },
  ftruncate: { args: ["i32", "i64"], returns: "i32" },
  fsync: { args: ["i32"], returns: "i32" },
  syncfs: { args: ["i32"], returns: "i32" },
  fchmod: { args: ["i32", "u32"], returns: "i32" },
  fchown: { args: ["i32", "u32", "u32"], returns: "i32" },
  unlinkat: { args: ["i32", "ptr", "i32"], returns: "i32" },
  mkdirat: { args: ["i32", "ptr", "u32"], returns: "i32" },
  symlinkat: { args: ["ptr", "i32", "ptr"], returns: "i32" },
  readlinkat: { args: ["i32", "ptr", "ptr", "u64"], returns: FFIType.i64_fast },
  utimensat: { args: ["i32", "ptr", "ptr", "i32"], returns: "i32" },
  futimens: { args: ["i32", "ptr"], returns: "i32" },
  flistxattr: { args: ["i32", "ptr", "u64"], returns: FFIType.i64_fast },
  fgetxattr: { args: ["i32", "ptr", "ptr", "u64"], returns: FFIType.i64_fast },
  fsetxattr: { args: ["i32", "ptr", "ptr", "u64", "i32"], returns: "i32" },
  fremovexattr: { args: ["i32", "ptr"], returns: "i32" },
} as const

function present(at: Pointer | bigint | null): Pointer {
  if (typeof at !== "number") throw new Error("the C library gave no address for errno")
  return at
}

function load() {
  for (const name of ["libc.so.6", "libc.so", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`]) {
    try {
      return dlopen(name, SYMBOLS).symbols
    } catch {
      continue
    }
  }
  throw new Error("no C library could be loaded (glibc or musl is needed)")
}

const libc = load()
/** Fixed for the life of a thread. */
const errnoAt = present(libc.__errno_location())

/** Must follow the failing call with nothing between. */
function result(value: number | bigint): number {
  return value < 0 ? -read.i32(errnoAt, 0) : Number(value)
}

const PATH_BYTES = 8192
const encoder = new TextEncoder()
/** A byte shorter than their memory: what follows the longest name is a NUL. */
const nameA = new Uint8Array(new ArrayBuffer(PATH_BYTES), 0, PATH_BYTES - 1)
const nameB = new Uint8Array(new ArrayBuffer(PATH_BYTES), 0, PATH_BYTES - 1)
const nameAt = { a: ptr(nameA), b: ptr(nameB) }
const how = new BigUint64Array(new ArrayBuffer(24))
const howAt = ptr(how)
const EINVAL = 22
const ENAMETOOLONG = 36

/** Writes a NUL-terminated name; returns 0 or -errno. */
function put(name: Name, into: Uint8Array): number {
  if (typeof name === "string") {
    if (name.includes("\0")) return -EINVAL
    const { read: units, written } = encoder.encodeInto(name, into)
    into[written] = 0
    return units === name.length ? 0 : -ENAMETOOLONG
  }
  if (!(name instanceof Uint8Array)) throw new TypeError("a name must be a string or bytes")
  if (name.includes(0)) return -EINVAL
  if (name.length >= PATH_BYTES) return -ENAMETOOLONG
  into.set(name)
  into[name.length] = 0
  return 0
}

function int(value: number): number {
  if (!Number.isInteger(value)) throw new TypeError(`an integer is needed, not ${String(value)}`)
  return value
}

function bytes(value: Uint8Array): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError("bytes are needed")
  return value
}

/** openat(2). O_CLOEXEC is always added. */
export function openat(dir: number, name: Name, flags: number, mode = 0): number {
  return put(name, nameA) || result(libc.openat(int(dir), nameAt.a, int(flags) | O.CLOEXEC, int(mode)))
}

/** openat2(2): `resolve` is a mask of RESOLVE. O_CLOEXEC is always added. */
export function openat2(dir: number, path: Name, flags: number, resolve: number, mode = 0): number {
  const bad = put(path, nameA)
  if (bad) return bad
  how[0] = BigInt(int(flags) | O.CLOEXEC)
  how[1] = BigInt(int(mode))
  how[2] = BigInt(int(resolve))
  return result(libc.syscall(NR.openat2, int(dir), nameAt.a, howAt, 24, 0, 0))
}

/** close(2). On Linux the descriptor is gone whatever it returns. */
export function close(fd: number): number {
  return result(libc.close(int(fd)))
}

const STATX_BASIC = 0x7ff
export const STATX_BYTES = 256

/** statx(2) without following a last symlink, into `into` (256 bytes, one layout on every architecture). "" = the descriptor itself. */
export function statx(dir: number, name: Name, into: Uint8Array): number {
  const flags = AT.SYMLINK_NOFOLLOW | (name.length === 0 ? AT.EMPTY_PATH : 0)
  if (bytes(into).length < STATX_BYTES) throw new TypeError("statx needs 256 bytes")
  return put(name, nameA) || result(libc.syscall(NR.statx, int(dir), nameAt.a, flags, STATX_BASIC, ptr(into), 0))
}

/** pread(2): bytes read, 0 at the end. */
export function pread(fd: number, into: Uint8Array, offset: number): number {
  return into.length === 0 ? 0 : result(libc.pread(int(fd), bytes(into), into.length, int(offset)))
}

/** write(2): may write less than asked. */
export function write(fd: number, from: Uint8Array): number {
  return from.length === 0 ? 0 : result(libc.write(int(fd), bytes(from), from.length))
}

/** lseek(2): the new position. A directory's positions are cookies of all 64 bits, hence the bigint. */
export function lseek(fd: number, offset: number | bigint, whence: number): number {
  return result(libc.lseek(int(fd), typeof offset === "bigint" ? offset : int(offset), int(whence)))
}

export function ftruncate(fd: number, size: number): number {
  return result(libc.ftruncate(int(fd), int(size)))
}

/** getdents64(2): bytes of linux_dirent64 records, 0 at the end. */
export function getdents64(fd: number, into: Uint8Array): number {
  return result(libc.syscall(NR.getdents64, int(fd), ptr(bytes(into)), into.length, 0, 0, 0))
}

export function fsync(fd: number): number {
  return result(libc.fsync(int(fd)))
}

/** Flushes the whole filesystem that `fd` is on. */
export function syncfs(fd: number): number {
  return result(libc.syncfs(int(fd)))
}

export function fchmod(fd: number, mode: number): number {
  return result(libc.fchmod(int(fd), int(mode)))
}

export function fchown(fd: number, uid: number, gid: number): number {
  return result(libc.fchown(int(fd), int(uid), int(gid)))
}

/** linkat(2); `flags` AT.SYMLINK_FOLLOW only for /proc/self/fd/N. */
export function linkat(fromDir: number, from: Name, toDir: number, to: Name, flags: number): number {
  const bad = put(from, nameA) || put(to, nameB)
  return bad || result(libc.syscall(NR.linkat, int(fromDir), nameAt.a, int(toDir), nameAt.b, int(flags), 0))
}

/** renameat2(2); `flags` 0, RENAME_NOREPLACE or RENAME_EXCHANGE. */
export function renameat2(fromDir: number, from: Name, toDir: number, to: Name, flags: number): number {
  const bad = put(from, nameA) || put(to, nameB)
  return bad || result(libc.syscall(NR.renameat2, int(fromDir), nameAt.a, int(toDir), nameAt.b, int(flags), 0))
}

/** unlinkat(2); `flags` 0 or AT.REMOVEDIR. */
export function unlinkat(dir: number, name: Name, flags: number): number {
  return put(name, nameA) || result(libc.unlinkat(int(dir), nameAt.a, int(flags)))
}

export function mkdirat(dir: number, name: Name, mode: number): number {
  return put(name, nameA) || result(libc.mkdirat(int(dir), nameAt.a, int(mode)))
}

export function symlinkat(target: Name, dir: number, name: Name): number {
  return put(target, nameA) || put(name, nameB) || result(libc.symlinkat(nameAt.a, int(dir), nameAt.b))
}

/** readlinkat(2): bytes of the target. */
export function readlinkat(dir: number, name: Name, into: Uint8Array): number {
  return put(name, nameA) || result(libc.readlinkat(int(dir), nameAt.a, bytes(into), into.length))
}

/** faccessat2(2) with the effective ids, not following a last symlink. */
export function faccessat(dir: number, name: Name, mode: number): number {
  const flags = AT.EACCESS | AT.SYMLINK_NOFOLLOW
  return put(name, nameA) || result(libc.syscall(NR.faccessat2, int(dir), nameAt.a, int(mode), flags, 0, 0))
}

const times = new BigInt64Array(new ArrayBuffer(32))
const BILLION = 1_000_000_000n

/** struct timespec[2], whose nanoseconds are never negative. */
function putTimes(atimeNs: bigint, mtimeNs: bigint): BigInt64Array {
  for (const [at, ns] of [atimeNs, mtimeNs].entries()) {
    const rest = ((ns % BILLION) + BILLION) % BILLION
    times[at * 2] = (ns - rest) / BILLION
    times[at * 2 + 1] = rest
  }
  return times
}

/** utimensat(2) on the entry itself. Times in nanoseconds since the epoch. */
export function utimensat(dir: number, name: Name, atimeNs: bigint, mtimeNs: bigint): number {
  return put(name, nameA) || result(libc.utimensat(int(dir), nameAt.a, putTimes(atimeNs, mtimeNs), AT.SYMLINK_NOFOLLOW))
}

export function futimens(fd: number, atimeNs: bigint, mtimeNs: bigint): number {
  return result(libc.futimens(int(fd), putTimes(atimeNs, mtimeNs)))
}

/** copy_file_range(2) at both descriptors' own positions: bytes copied, 0 at the end. */
export function copyFileRange(from: number, to: number, length: number): number {
  return result(libc.syscall(NR.copy_file_range, int(from), 0, int(to), 0, int(length), 0))
}

/** flistxattr(2): bytes of NUL-terminated names; an empty buffer asks for the size. */
export function flistxattr(fd: number, into: Uint8Array): number {
  return result(libc.flistxattr(int(fd), into.length === 0 ? null : bytes(into), into.length))
}

/** fgetxattr(2); an empty buffer asks for the size. */
export function fgetxattr(fd: number, name: Name, into: Uint8Array): number {
  return put(name, nameA) || result(libc.fgetxattr(int(fd), nameAt.a, into.length === 0 ? null : bytes(into), into.length))
}

export function fsetxattr(fd: number, name: Name, value: Uint8Array): number {
  return put(name, nameA) || result(libc.fsetxattr(int(fd), nameAt.a, value.length === 0 ? null : bytes(value), value.length, 0))
}

export function fremovexattr(fd: number, name: Name): number {
  return put(name, nameA) || result(libc.fremovexattr(int(fd), nameAt.a))
}

/** memfd_create(2). `flags` is a mask of MFD; MFD.CLOEXEC is always added. */
export function memfdCreate(name: Name, flags: number): number {
  return put(name, nameA) || result(libc.syscall(NR.memfd_create, nameAt.a, int(flags) | MFD.CLOEXEC, 0, 0, 0, 0))
}

/** fcntl(2) F_ADD_SEALS. */
export function addSeals(fd: number, seals: number): number {
  return result(libc.syscall(NR.fcntl, int(fd), F_ADD_SEALS, int(seals), 0, 0, 0))
}

/** prlimit(2): both limits of `resource` for another process of this user. */
export function prlimit(pid: number, resource: number, limit: number): number {
  how[0] = how[1] = BigInt(int(limit))
  return result(libc.syscall(NR.prlimit64, int(pid), int(resource), howAt, 0, 0, 0))
}

/** clock_gettime(2) of a process's CPU clock, as clock_getcpuclockid(3) names it: nanoseconds, or -errno. */
export function cpuTime(pid: number): number {
  const status = result(libc.syscall(NR.clock_gettime, (~int(pid) << 3) | CPUCLOCK_SCHED, ptr(times), 0, 0, 0, 0))
  return status < 0 ? status : Number((times[0] ?? 0n) * BILLION + (times[1] ?? 0n))
}
