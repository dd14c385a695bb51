/** list_dir: a directory, or a tree of them a few levels deep. */
import { E, refusal } from "../../fs/errno.ts"
import { openFollowed } from "../../fs/follow.ts"
import { statAt } from "../../fs/stat.ts"
import { TreeLevels } from "../../fs/tree/levels.ts"
import { JsonText } from "../../json-text.ts"
import { byCodePoint } from "../../workdir/order.ts"
import { firstNames } from "../first-names.ts"
import type { Operation } from "../operation.ts"
import { absolute, limitsOf, reach } from "./entry.ts"
import { type FileEntry, fileEntry } from "./file-entry.ts"

export interface FilesListInput {
  readonly path: string
  /** Levels of sub-directories to enter: 0 for the directory alone. */
  readonly depth: number
}

export interface FilesListOutput {
  readonly path: string
  /** By code point of the path. */
  readonly entries: JsonText<FileEntry[]>
  /** There is more than the limit allows. */
  readonly truncated: boolean
}

export const filesList: Operation<FilesListInput, FilesListOutput> = async (directory, input, call) => {
  using start = reach(directory, input.path, { last: "follow", doing: "reading" })
  using levels = new TreeLevels<null>(openFollowed(directory, start), start.names, start.given)
  const limit = limitsOf(directory).maxEntries
  const base = absolute(directory, start.names)
  const entries: FileEntry[] = []
  let truncated = false
  let refused = 0
  for (const { dir, path, depth } of levels.walk(null)) {
    // Nearest levels first, so that what a cut leaves out is what is deepest.
    const { names } = await firstNames(dir, start.given, limit - entries.length + 1, directory.policy, call)
    for (const name of names) {
      const below = path === "" ? name : `${path}/${name}`
      if (!levels.isAskable(below)) continue
      const stat = statAt(dir, name)
      if (typeof stat === "number") {
        // ENOENT: it has vanished since it was listed. Anything else may be the fault of one entry, such as a dead mount, and must not hide the others.
        if (stat !== -E.ENOENT) refused = stat
        continue
      }
      truncated = entries.length >= limit
      if (truncated) break
      entries.push(fileEntry(`${base}/${below}`, stat))
      if (stat.type === "directory" && depth < input.depth) levels.add(below, null)
      await call.breathe()
    }
    if (truncated) break
  }
  // A directory that may be read and not entered gives names and nothing else.
  if (entries.length === 0 && refused !== 0) throw refusal(refused, start.given, "reading")
  entries.sort((a, b) => byCodePoint(a.path, b.path))
  return { path: absolute(directory, start.named), entries: JsonText.of(entries), truncated: truncated || levels.incomplete }
}
