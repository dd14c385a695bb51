/** Numbers of the kernel's headers that the calls in libc.unsafe.ts take. */

export const O = {
  RDONLY: 0, WRONLY: 1, RDWR: 2, CREAT: 0o100, EXCL: 0o200, NOCTTY: 0o400, NONBLOCK: 0o4000, CLOEXEC: 0o2000000,
  PATH: 0o10000000,
  // These three differ between x86-64 and arm64 (asm/fcntl.h).
  DIRECTORY: process.arch === "arm64" ? 0o40000 : 0o200000,
  NOFOLLOW: process.arch === "arm64" ? 0o100000 : 0o400000,
  TMPFILE: process.arch === "arm64" ? 0o20040000 : 0o20200000,
} as const
export const AT = { FDCWD: -100, SYMLINK_NOFOLLOW: 0x100, REMOVEDIR: 0x200, SYMLINK_FOLLOW: 0x400, EACCESS: 0x200, EMPTY_PATH: 0x1000 } as const
export const RESOLVE = { NO_XDEV: 1, NO_MAGICLINKS: 2, NO_SYMLINKS: 4, BENEATH: 8 } as const
export const RENAME_NOREPLACE = 1
export const RENAME_EXCHANGE = 2
export const SEEK = { SET: 0, DATA: 3, HOLE: 4 } as const
export const W_OK = 2
/** setrlimit(2). */
export const RLIMIT_DATA = 2
export const MFD = { CLOEXEC: 1, ALLOW_SEALING: 2, EXEC: 0x10 } as const
export const SEAL = { SEAL: 1, SHRINK: 2, GROW: 4, WRITE: 8 } as const
