/** stat and read_file of the Files service, of what is in memory and has no link or `..` on the way. */
import { WouldWait } from "../../fs/resident.ts"
import { namesOfRoot, parseFilesPath } from "../../workdir/files-path.ts"
import type { Admitted } from "../../workdir/policy.ts"
import { revisionOf } from "../../workdir/revision.ts"
import { absolute, limitsOf } from "../files/entry.ts"
import { type FileEntry, fileEntry } from "../files/file-entry.ts"
import { fileText, type FilesReadOutput } from "../files/read-file.ts"
import { admitWalked } from "../walked.ts"
import { type AtOnce, MAX_READ_BYTES, type Near } from "./at-once.ts"

export const filesStatAtOnce: AtOnce<{ readonly path: string }, FileEntry> = (near, { path }) => {
  const at = admitted(near, path)
  return fileEntry(absolute(near, at.components), near.resident.lstat(at))
}

export const filesReadAtOnce: AtOnce<{ readonly path: string }, FilesReadOutput> = (near, { path }) => {
  const at = admitted(near, path)
  using file = near.resident.open(at)
  const size = Number(file.stat.size)
  if (size > Math.min(MAX_READ_BYTES, limitsOf(near).maxBytes)) throw new WouldWait()
  const bytes = Buffer.alloc(size)
  if (file.read(bytes, 0) < size || revisionOf(file.again()) !== revisionOf(file.stat)) throw new WouldWait()
  return fileText(absolute(near, at.components), bytes, path)
}

function admitted({ policy, settings }: Near, path: string): Admitted {
  const { steps } = parseFilesPath(path, ...namesOfRoot(settings))
  if (steps.includes("..")) throw new WouldWait()
  return admitWalked(policy, steps.join("/"))
}
