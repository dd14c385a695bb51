/** delete_file: one name of one regular file, whatever is in it. */
import { openRegular } from "../fs/file.ts"
import { removeFile } from "../fs/remove.ts"
import { removeTwins, twinsOf } from "../fs/twin.ts"
import { assertUnchanged } from "../fs/unchanged.ts"
import { assertExpected, atPlace, type Guarded } from "./mutation.ts"
import type { Operation } from "./operation.ts"

export interface DeleteFileOutput {
  readonly path: string
  readonly bytes_deleted: number
  readonly revision_deleted: string
}

export const deleteFile: Operation<Guarded, DeleteFileOutput> = (directory, input, call) =>
  atPlace(directory, input, call, "PATH_NOT_FOUND", (place, at, log) => {
    // Opened, since the right to write in a directory is no licence to remove a file that cannot be read.
    using file = openRegular(place, at.given, "changing")
    assertExpected(file.stat, input.expectedRevision, at)
    const stat = removeTwins(place, file, twinsOf(place, file, at.given), at.given)
    assertUnchanged(place, stat, at.given)
    removeFile(place, at.given, log)
    return { path: at.text, bytes_deleted: Number(stat.size), revision_deleted: input.expectedRevision }
  })
