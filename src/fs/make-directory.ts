import { refusal } from "./errno.ts"
import { mkdirat } from "./libc.unsafe.ts"
import { afterwards } from "./publish/settle.ts"
import type { DirEntry } from "./root.ts"
import { type Stat, statAt } from "./stat.ts"
import { type Log, syncDirectory } from "./write.ts"

/** Umask and a default ACL act on it as on any new directory. */
const NEW_DIRECTORY = 0o777

/** Makes the directory that `entry` names and returns it as it is then. Throws PATH_ALREADY_EXISTS or what else mkdirat(2) refuses. */
export function makeDirectory({ dir, leaf }: DirEntry, given: string, log: Log): Stat {
  const status = mkdirat(dir.number, leaf, NEW_DIRECTORY)
  if (status < 0) throw refusal(status, given, "changing")
  syncDirectory(dir, given, log)
  return afterwards(statAt(dir, leaf), given)
}
