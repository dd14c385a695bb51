/** The files that tell ripgrep what to leave out. It opens them whatever they are. */
import { openBeneath } from "../fs/beneath.ts"
import { batches, type Entry } from "../fs/dir.ts"
import { Fd } from "../fs/fd.ts"
import { O } from "../fs/flags.ts"
import { type EntryType, statAt } from "../fs/stat.ts"
import { TreeLevels } from "../fs/tree/levels.ts"
import type { Policy } from "../workdir/policy.ts"
import { isVersionControl } from "./args.ts"

const NAMES: ReadonlySet<string> = new Set([".gitignore", ".ignore", ".rgignore"])

/**
 * A directory at or below `top` with an ignore file that is neither a file nor a link: a FIFO keeps ripgrep waiting for as long as nobody writes
 * to it. Its path from `top` on; null when there is none.
 * @param given the path of `top` as the caller wrote it, for errors
 * @param breathe awaited now and then; what it throws ends the walk
 */
export async function heldUpAt(top: Fd, given: string, policy: Policy, breathe: () => Promise<void>): Promise<string | null> {
  // One of its own: the search may be over, and its directory closed, while this walk pauses.
  const number = openBeneath(top, [], O.RDONLY | O.DIRECTORY)
  if (number < 0) return null
  using levels = new TreeLevels<null>(Fd.own(number), [], given)
  for (const { dir, path } of levels.walk(null)) {
    for (const batch of batches(dir, given)) {
      for (const entry of batch) {
        const { name } = entry
        if (name === null) continue
        const type = typeOf(dir, entry)
        if (NAMES.has(name) && type === "other") return path
        if (type === "directory" && !isVersionControl(name) && policy.refuses(name) === null) levels.add(path === "" ? name : `${path}/${name}`, null)
      }
      await breathe()
    }
  }
  return null
}

function typeOf(dir: Fd, { type, bytes }: Entry): EntryType | null {
  if (type !== null) return type
  const stat = statAt(dir, bytes)
  return typeof stat === "number" ? null : stat.type
}
