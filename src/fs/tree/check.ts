/** Looks through a tree for a name that is refused, before anything in it is touched. */
import { openEntry } from "../beneath.ts"
import type { Entry } from "../dir.ts"
import { E, refusal } from "../errno.ts"
import { Fd } from "../fd.ts"
import { O } from "../flags.ts"
import type { Followed } from "../follow.ts"
import { Trail } from "./trail.ts"

/**
 * What has vanished, is no directory any more, or is a mount, which nobody enters. Anything else may be over when the change
 * comes to it, such as a lack of descriptors: what was not looked into is not known to hold nothing.
 */
const PASSED_OVER = new Set([E.ENOENT, E.ENOTDIR, E.ELOOP, E.EXDEV].map((errno) => -errno))

/** Yields after each entry whether it is refused. Throws what keeps it from looking. */
export function* refusedIn({ dir, leaf, given }: Followed, refused: (name: string) => boolean): Generator<boolean, void, void> {
  using trail = new Trail(dir.lend(), given, "changing")
  if (!enter(trail, leaf, given)) return
  while (trail.depth > 1) {
    const entry: Entry | null = trail.next()
    if (entry === null) {
      trail.leave()
      continue
    }
    yield entry.name !== null && refused(entry.name)
    if (entry.type === "directory" || entry.type === null) enter(trail, entry.bytes, given)
  }
}

function enter(trail: Trail, name: string | Uint8Array, given: string): boolean {
  const number = openEntry(trail.dir, name, O.RDONLY | O.DIRECTORY, "stay")
  if (PASSED_OVER.has(number)) return false
  if (number < 0) throw refusal(number, given, "changing")
  trail.enter(Fd.own(number))
  return true
}
