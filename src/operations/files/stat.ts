/** stat: what the last component itself is, a link wherever it points included. */
import type { Operation } from "../operation.ts"
import { type FileEntry, fileEntry } from "./file-entry.ts"
import { absolute, lookAt, reach } from "./place.ts"

export const filesStat: Operation<{ readonly path: string }, FileEntry> = (directory, input) => {
  using place = reach(directory, input.path, { last: "keep", doing: "reading" })
  return fileEntry(absolute(directory, place.named), lookAt(directory, place, "reading"))
}
