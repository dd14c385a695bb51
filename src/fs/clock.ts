/** A filesystem's own idea of the time, which may be a server's. */
import type { Fd } from "./fd.ts"
import { fstat } from "./file.ts"
import { NamedTemp, openNameless } from "./publish/temp.ts"

const PRIVATE = 0o600

/** What ctime a change in `dir` would get now, ns. Throws what the directory refuses. */
export function clockOf(dir: Fd, given: string): bigint {
  using nameless = openNameless(dir, PRIVATE, given)
  if (nameless !== null) return fstat(nameless, given, "changing").ctimeNs
  using named = NamedTemp.create(dir, PRIVATE, given)
  return fstat(named.fd, given, "changing").ctimeNs
}
