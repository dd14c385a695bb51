/** create_directory: one level. */
import { makeDirectory } from "../fs/make-directory.ts"
import { revisionOf } from "../workdir/revision.ts"
import { atEntry, type Changing } from "./mutation.ts"
import type { Operation } from "./operation.ts"

export interface CreateDirectoryOutput {
  readonly path: string
  readonly revision: string
}

export const createDirectory: Operation<Changing, CreateDirectoryOutput> = (directory, input, call) =>
  atEntry(directory, input, call, "PARENT_NOT_FOUND", (entry, at, log) => {
    const made = makeDirectory(entry, at.given, log)
    return { path: at.text, revision: revisionOf(made) }
  })
