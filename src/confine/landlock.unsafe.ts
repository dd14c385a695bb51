/**
 * The system calls of confinement (landlock(7), prctl(2), execve(2)), one thin function each; with fs/libc.unsafe.ts the
 * only file that imports bun:ffi. Each returns what the call returned, or -errno. FFI turns undefined and NaN into 0, so
 * every argument is checked first. Numbers above 423 are the same on every architecture.
 */
import { dlopen, FFIType, ptr, read } from "bun:ffi"

const NR = { close_range: 436, landlock_create_ruleset: 444, landlock_add_rule: 445, landlock_restrict_self: 446 } as const
const CREATE_RULESET_VERSION = 1
const RULE_PATH_BENEATH = 1
const RULE_NET_PORT = 2
const CLOSE_RANGE_CLOEXEC = 4
const PR_SET_NO_NEW_PRIVS = 38
const F_SETFD = 2
const FIRST_AFTER_STDIO = 3
const LAST_DESCRIPTOR = 0xffffffff

const SYMBOLS = {
  __errno_location: { args: [], returns: "ptr" },
  syscall: { args: ["i64", "i64", "i64", "i64", "i64"], returns: FFIType.i64_fast },
  prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  memfd_create: { args: ["ptr", "u32"], returns: "i32" },
  execve: { args: ["ptr", "ptr", "ptr"], returns: "i32" },
} as const

export interface Handled {
  readonly fs: bigint
  readonly tcp: bigint
  readonly scopes: bigint
}

/** The calls, bound to the C library that this process has mapped already (glibc or musl). Throws when it lacks one. */
export function bindLandlock(libc: string) {
  const { symbols: c } = dlopen(libc, SYMBOLS)
  const errnoAt = c.__errno_location()
  if (errnoAt === null) throw new Error("the C library gave no address for errno")

  /** Nothing may run between the call and this look. */
  const outcome = (returned: number | bigint): number => (Number(returned) < 0 ? -read.i32(errnoAt) : Number(returned))

  // One buffer for every structure, held here, so that no pointer outlives what it points to.
  const scratch = new DataView(new ArrayBuffer(24))
  const scratchAt = ptr(scratch)

  return {
    /** Highest Landlock ABI that the kernel offers. -ENOSYS: not built in; -EOPNOTSUPP: off at boot. */
    abi: (): number => outcome(c.syscall(NR.landlock_create_ruleset, 0, 0, CREATE_RULESET_VERSION, 0)),

    /** A ruleset that denies `handled`; its descriptor. Fields that this ABI does not know must be 0. */
    createRuleset({ fs, tcp, scopes }: Handled): number {
      ;[fs, tcp, scopes].forEach((bits, field) => scratch.setBigUint64(field * 8, mask(bits), true))
      return outcome(c.syscall(NR.landlock_create_ruleset, scratchAt, scratch.byteLength, 0, 0))
    },

    /** Grants `rights` on the open file or beneath the open directory. */
    allowPath(ruleset: number, rights: bigint, fd: number): number {
      scratch.setBigUint64(0, mask(rights), true)
      scratch.setInt32(8, descriptor(fd), true)
      return outcome(c.syscall(NR.landlock_add_rule, descriptor(ruleset), RULE_PATH_BENEATH, scratchAt, 0))
    },

    /** Grants `rights` on one TCP port. */
    allowPort(ruleset: number, rights: bigint, port: number): number {
      scratch.setBigUint64(0, mask(rights), true)
      scratch.setBigUint64(8, BigInt(inRange(port, 0, 65_535)), true)
      return outcome(c.syscall(NR.landlock_add_rule, descriptor(ruleset), RULE_NET_PORT, scratchAt, 0))
    },

    /** Confines the calling thread, for good: other threads follow only through execve. */
    restrictSelf(ruleset: number): number {
      const noNewPrivileges = outcome(c.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n))
      return noNewPrivileges < 0 ? noNewPrivileges : outcome(c.syscall(NR.landlock_restrict_self, descriptor(ruleset), 0, 0, 0))
    },

    /** A file in memory that outlives execve; its descriptor. */
    memoryFile: (name: string): number => outcome(c.memfd_create(cString(Buffer.from(name)), 0)),

    /** Marks every descriptor but 0 to 2 and `kept` to be closed by execve: what was opened before keeps its rights. */
    keepThroughExec(kept: readonly number[]): number {
      kept.forEach(descriptor)
      const closed = outcome(c.syscall(NR.close_range, FIRST_AFTER_STDIO, LAST_DESCRIPTOR, CLOSE_RANGE_CLOEXEC, 0))
      return kept.reduce((status, fd) => (status < 0 ? status : outcome(c.fcntl(fd, F_SETFD, 0))), closed)
    },

    /** Replaces this process's image; returns only when that failed. Arguments and environment as raw bytes. */
    execve(path: string, argv: readonly Uint8Array[], environment: readonly Uint8Array[]): number {
      if (argv.length === 0) throw new TypeError("a program needs arguments")
      const strings = [...argv, ...environment].map(cString)
      const text = Buffer.concat(strings)
      const at = addresses(ptr(text), strings)
      const argvAt = BigUint64Array.of(...at.slice(0, argv.length), 0n)
      const environmentAt = BigUint64Array.of(...at.slice(argv.length), 0n)
      const status = outcome(c.execve(cString(Buffer.from(path)), argvAt, environmentAt))
      text.fill(0) // Also keeps the strings alive up to here.
      return status
    },
  }
}

/** Where each string starts in a block of all of them. */
function addresses(start: number, strings: readonly Uint8Array[]): bigint[] {
  let next = BigInt(start)
  return strings.map((string) => {
    const at = next
    next += BigInt(string.byteLength)
    return at
  })
}

export type Landlock = ReturnType<typeof bindLandlock>

function inRange(value: number, least: number, most: number): number {
  if (!Number.isInteger(value) || value < least || value > most) throw new RangeError(`not between ${least} and ${most}`)
  return value
}

function descriptor(fd: number): number {
  return inRange(fd, 0, 0x7fffffff)
}

function mask(bits: bigint): bigint {
  if (typeof bits !== "bigint" || bits < 0n || bits >= 1n << 63n) throw new RangeError("not a mask of rights")
  return bits
}

function cString(bytes: Uint8Array): Uint8Array {
  if (bytes.includes(0)) throw new TypeError("a NUL inside a C string")
  return Buffer.concat([bytes, Buffer.of(0)])
}
