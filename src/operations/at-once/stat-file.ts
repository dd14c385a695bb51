/** stat_file, of what is in memory. */
import { parsePath } from "../../workdir/relpath.ts"
import { describe, type StatFileOutput } from "../stat-file.ts"
import type { AtOnce } from "./at-once.ts"

export const statFileAtOnce: AtOnce<{ readonly path: string }, StatFileOutput> = ({ resident, policy }, input) => {
  const at = policy.admit(parsePath(input.path))
  return describe(at, resident.lstat(at))
}
