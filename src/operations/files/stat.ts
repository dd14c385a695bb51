/** stat: what the last component itself is, a link wherever it points included. */
import type { Operation } from "../operation.ts"
import { type FileEntry, fileEntry } from "./file-entry.ts"
import { absolute, lstat, reach } from "./entry.ts"

export const filesStat: Operation<{ readonly path: string }, FileEntry> = (directory, input) => {
  using entry = reach(directory, input.path, { last: "keep", doing: "reading" })
  return fileEntry(absolute(directory, entry.named), lstat(directory, entry, "reading"))
}
