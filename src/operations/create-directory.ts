/** create_directory: one level. */
import { makeDirectory } from "../fs/make-directory.ts"
import { revisionOf } from "../workdir/revision.ts"
import { atPlace, type Changing } from "./mutation.ts"
import type { Operation } from "./operation.ts"

export interface CreateDirectoryOutput {
  readonly path: string
  readonly revision: string
}

export const createDirectory: Operation<Changing, CreateDirectoryOutput> = (directory, input, call) =>
  atPlace(directory, input, call, "PARENT_NOT_FOUND", (place, at, log) => {
    const made = makeDirectory(place, at.given, log)
    return { path: at.text, revision: revisionOf(made) }
  })
