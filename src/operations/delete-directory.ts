/** delete_directory: an empty one. */
import { ToolError } from "../errors.ts"
import { refusal } from "../fs/errno.ts"
import { endsInLink } from "../fs/file.ts"
import { removeDirectory } from "../fs/remove.ts"
import { statAt } from "../fs/stat.ts"
import { assertExpected, atEntry, type Guarded } from "./mutation.ts"
import type { Operation } from "./operation.ts"

export interface DeleteDirectoryOutput {
  readonly path: string
  readonly revision_deleted: string
}

const CLEAN_UP = "list_directory shows what is in it, delete_file removes each file, then delete_directory works; names that are not listed only the operator can remove"

export const deleteDirectory: Operation<Guarded, DeleteDirectoryOutput> = (directory, input, call) =>
  atEntry(directory, input, call, "PATH_NOT_FOUND", (entry, at, log) => {
    const stat = statAt(entry.dir, entry.leaf)
    if (typeof stat === "number") throw refusal(stat, at.given, "changing")
    if (stat.type === "symlink") throw endsInLink(at.given)
    if (stat.type !== "directory") throw new ToolError("NOT_A_DIRECTORY", { path: at.given })
    assertExpected(stat, input.expectedRevision, at)
    if (!removeDirectory(entry, at.given, log)) throw new ToolError("DIRECTORY_NOT_EMPTY", { path: at.given, advice: CLEAN_UP })
    return { path: at.text, revision_deleted: input.expectedRevision }
  })
