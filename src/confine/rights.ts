/** Landlock's rights by name: the bit of each and the first ABI that knows it (linux/landlock.h, landlock(7)). */

interface Right {
  readonly bit: number
  readonly since: number
}

const FS = {
  execute: { bit: 0, since: 1 },
  write_file: { bit: 1, since: 1 },
  read_file: { bit: 2, since: 1 },
  read_dir: { bit: 3, since: 1 },
  remove_dir: { bit: 4, since: 1 },
  remove_file: { bit: 5, since: 1 },
  make_char: { bit: 6, since: 1 },
  make_dir: { bit: 7, since: 1 },
  make_reg: { bit: 8, since: 1 },
  make_sock: { bit: 9, since: 1 },
  make_fifo: { bit: 10, since: 1 },
  make_block: { bit: 11, since: 1 },
  make_sym: { bit: 12, since: 1 },
  refer: { bit: 13, since: 2 },
  truncate: { bit: 14, since: 3 },
  ioctl_dev: { bit: 15, since: 5 },
} as const satisfies Record<string, Right>

export type FsRight = keyof typeof FS

const ALL = Object.keys(FS) as FsRight[]
const ON_FILES: readonly FsRight[] = ["execute", "write_file", "read_file", "truncate", "ioctl_dev"]

/** The rights as the kernel takes them, less those that its ABI does not know. */
export function fsMask(rights: readonly FsRight[], abi: number): bigint {
  return rights.filter((name) => FS[name].since <= abi).reduce((mask, name) => mask | (1n << BigInt(FS[name].bit)), 0n)
}

/** Every filesystem right of this ABI: what a ruleset handles is denied unless a rule grants it. */
export function everyFsRight(abi: number): bigint {
  return fsMask(ALL, abi)
}

/** A rule on a file must not carry rights of directories (EINVAL). */
export function onlyForFiles(rights: readonly FsRight[]): FsRight[] {
  return rights.filter((name) => ON_FILES.includes(name))
}

/** TCP rights and the ABI that brought both. */
export const TCP = { bind: 1n, connect: 2n, since: 4 } as const

/** Scopes: abstract UNIX sockets and signals stay among the confined processes. */
export const SCOPES = { mask: 3n, since: 6 } as const

/** From this ABI on, contents of a file outside cannot be changed in any way (2 and older let truncate(2) through). */
export const SOUND_ABI = 3
