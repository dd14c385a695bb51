/** What the filesystem of the scratch directories promises the event loop (fs/resident.ts). Elsewhere every call is a lane's, and the tests expect that. */
import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"

const type = statfsSync(tmpdir()).type
const TMPFS = 0x01021994
const DISKS = [0xef53, 0x58465342, 0x9123683e, 0xf2f52010]

/** Pages by preadv2(2) with RWF_NOWAIT: tmpfs does not have that. */
export const PAGES_AT_ONCE = DISKS.includes(type)
/** Names by openat2(2) with RESOLVE_CACHED. */
export const NAMES_AT_ONCE = PAGES_AT_ONCE || type === TMPFS
