/** What the kernel and the filesystem of the scratch directories promise the event loop (fs/resident.ts). Elsewhere every call is a lane's, and the tests expect that. */
import { statfsSync } from "node:fs"
import { release, tmpdir } from "node:os"

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
