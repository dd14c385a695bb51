/** delete_file: one name of one regular file, whatever is in it. */
import { openRegular } from "../fs/file.ts"
import { assertUnchanged } from "../fs/publish/unchanged.ts"
import { removeFile } from "../fs/remove.ts"
import { removeTwins, twinsOf } from "../fs/twin.ts"
import { assertExpected, atEntry, type Guarded } from "./mutation.ts"
import type { Operation } from "./operation.ts"

export interface DeleteFileOutput {
  readonly path: string
  readonly bytes_deleted: number
  readonly revision_deleted: string
}

export const deleteFile: Operation<Guarded, DeleteFileOutput> = (directory, input, call) =>
  atEntry(directory, input, call, "PATH_NOT_FOUND", (entry, at, log) => {
    // Opened, since the right to write in a directory is no licence to remove a file that cannot be read.
    using file = openRegular(entry, at.given, "changing")
    assertExpected(file.stat, input.expectedRevision, at)
    const stat = removeTwins(entry, file, twinsOf(entry, file, at.given), at.given)
    assertUnchanged(entry, stat, at.given)
    removeFile(entry, at.given, log)
    return { path: at.text, bytes_deleted: Number(stat.size), revision_deleted: input.expectedRevision }
  })
