/** create_text_file: a new file with exactly these bytes. */
import { ToolError } from "../errors.ts"
import { publishNew } from "../fs/publish/new-file.ts"
import { afterwards } from "../fs/publish/settle.ts"
import { statAt } from "../fs/stat.ts"
import { revisionOf } from "../workdir/revision.ts"
import { atEntry, type Changing } from "./mutation.ts"
import type { Operation } from "./operation.ts"

export interface CreateTextFileInput extends Changing {
  /** Well-formed, without a NUL, within the limit: checked before the lock is asked for. */
  readonly content: string
}

export interface CreateTextFileOutput {
  readonly path: string
  readonly bytes_written: number
  readonly revision: string
}

export const createTextFile: Operation<CreateTextFileInput, CreateTextFileOutput> = (directory, input, call) =>
  atEntry(directory, input, call, "PARENT_NOT_FOUND", (entry, at, log) => {
    // Linking decides; looking first leaves the parent untouched when the answer is known.
    if (typeof statAt(entry.dir, entry.leaf) !== "number") throw new ToolError("PATH_ALREADY_EXISTS", { path: at.given })
    const bytes = Buffer.from(input.content)
    const file = afterwards(publishNew(entry, bytes, at.given, log), at.given)
    return { path: at.text, bytes_written: bytes.length, revision: revisionOf(file) }
  })
