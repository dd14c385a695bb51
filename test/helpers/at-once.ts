/** What the kernel and the filesystem of the scratch directories promise the event loop (fs/resident.ts). Elsewhere every call is a lane's, and the tests expect that. */
import { dlopen } from "bun:ffi"
import { closeSync, fstatSync, fsyncSync, openSync, statfsSync } from "node:fs"
import { release, tmpdir } from "node:os"
import { isCached } from "../../src/fs/libc.unsafe.ts"

const type = statfsSync(tmpdir()).type
const TMPFS = 0x01021994
const DISKS = [0xef53, 0x58465342, 0x9123683e, 0xf2f52010]

const isLinux = (version: number): boolean => {
  const [major = 0, minor = 0] = release().split(".").map(Number)
  return major * 100 + minor >= version
}

/** Pages by preadv2(2) with RWF_NOWAIT, which tmpfs does not have, and cachestat(2). */
export const PAGES_AT_ONCE = DISKS.includes(type) && isLinux(605)
/** Names by openat2(2) with RESOLVE_CACHED. */
export const NAMES_AT_ONCE = (DISKS.includes(type) || type === TMPFS) && isLinux(512)

export const FADV = { RANDOM: 1, DONTNEED: 4 } as const
const libc = dlopen("libc.so.6", { posix_fadvise: { args: ["i32", "i64", "i64", "i32"], returns: "i32" } }).symbols

/** posix_fadvise(2) for a whole file. */
export function advise(fd: number, advice: number): void {
  if (libc.posix_fadvise(fd, 0, 0, advice) !== 0) throw new Error("posix_fadvise was refused")
}

/** Takes a file's pages out of memory: again and again, since the kernel keeps those that somebody has in hand. */
export async function chill(path: string): Promise<void> {
  const fd = openSync(path, "r+")
  fsyncSync(fd)
  for (advise(fd, FADV.DONTNEED); isCached(fd, fstatSync(fd).size) === 1; advise(fd, FADV.DONTNEED)) await Bun.sleep(5)
  closeSync(fd)
}
