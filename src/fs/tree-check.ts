/** Looks through a tree for a name that is refused, before anything in it is touched. */
import { openEntry } from "./beneath.ts"
import type { Entry } from "./dir.ts"
import { Fd } from "./fd.ts"
import type { Followed } from "./follow.ts"
import { O } from "./libc.unsafe.ts"
import { Trail } from "./tree-trail.ts"

/** Yields after each entry whether it is refused. A directory that cannot be opened is passed over: whoever comes to change it will find out. */
export function* refusedIn(entry: Followed, refused: (name: string) => boolean): Generator<boolean, void, void> {
  using trail = new Trail(entry.dir.lend(), entry.given, "changing")
  if (!enter(trail, entry.leaf)) return
  while (trail.depth > 1) {
    const entry: Entry | null = trail.next()
    if (entry === null) {
      trail.leave()
      continue
    }
    yield entry.name !== null && refused(entry.name)
    if (entry.type === "directory" || entry.type === null) enter(trail, entry.bytes)
  }
}

function enter(trail: Trail, name: string | Uint8Array): boolean {
  const number = openEntry(trail.dir, name, O.RDONLY | O.DIRECTORY, "stay")
  if (number < 0) return false
  trail.enter(Fd.own(number))
  return true
}
