/** The two ends of a move or a copy. */
import { ToolError } from "../../errors.ts"
import type { Followed } from "../../fs/follow.ts"
import type { Stat } from "../../fs/stat.ts"
import type { Directory } from "../operation.ts"
import { assertApart, type Way, wayTo } from "./give-way.ts"
import { assertNotRoot, lstat, lstatIfExists, reach } from "./entry.ts"

export interface Ends extends Disposable {
  readonly from: Followed
  readonly to: Followed
  /** Of what is at `from`. */
  readonly stat: Stat
  /** How it comes to `to`; to be asked again under the lock. */
  way(): Way
}

export interface EndsInput {
  readonly src: string
  readonly dst: string
  readonly overwrite: boolean
}

/**
 * Walks to both ends, `src` first, and checks that the one may come to the other. A link at `dst` is what it is.
 * Throws what reach(), wayTo() and assertApart() do, ROOT_MUTATION_NOT_ALLOWED, UNSUPPORTED_FILE_TYPE, INVALID_ARGUMENTS for a link over its own target.
 * @param last whether a link at `src` is followed
 * @param doing of `src`: "changing" when it is to go
 */
export function openEnds(directory: Directory, input: EndsInput, last: "follow" | "keep", doing: "reading" | "changing"): Ends {
  using stack = new DisposableStack()
  const from = stack.use(reach(directory, input.src, { last, doing }))
  assertNotRoot(from)
  const stat = lstat(directory, from, doing)
  if (stat.type === "other") throw new ToolError("UNSUPPORTED_FILE_TYPE", { path: from.given })
  const to = stack.use(reach(directory, input.dst, { last: "keep", doing: "changing", missing: "PARENT_NOT_FOUND" }))
  assertNotRoot(to)
  const way = (): Way => wayTo(to, lstatIfExists(directory, to, "changing"), stat.type, input.overwrite)
  if (stat.type === "directory") assertApart(from, to)
  const how = way()
  assertApart(from, to)
  if (stat.type === "symlink" && how === "for a file" && leadsTo(directory, input.src, to)) {
    throw new ToolError("INVALID_ARGUMENTS", { path: to.given, detail: "src is a link to dst, and would lead to itself" })
  }
  const owned = stack.move()
  return { from, to, stat, way, [Symbol.dispose]: () => owned.dispose() }
}

/** Whether a link leads to `entry`. One that leads nowhere, or outside, does not. */
function leadsTo(directory: Directory, link: string, entry: Followed): boolean {
  try {
    using end = reach(directory, link, { last: "follow", doing: "reading" })
    return end.names.join("/") === entry.names.join("/")
  } catch (error) {
    if (error instanceof ToolError) return false
    throw error
  }
}
