/** create_file: a new file, or new content in the place of an old one. */
import { ToolError } from "../../errors.ts"
import { publishNew } from "../../fs/publish/new-file.ts"
import type { Operation } from "../operation.ts"
import { absolute, assertNotRoot, lstatIfExists, reach } from "./entry.ts"
import { overwriteFile } from "./overwrite-file.ts"
import type { OperationResult } from "./result.ts"

export interface FilesCreateInput {
  readonly path: string
  /** Well-formed, without a NUL, within the limit: checked before the lock is asked for. */
  readonly content: string
  readonly overwrite: boolean
}

export const filesCreate: Operation<FilesCreateInput, OperationResult<"CREATED">> = (directory, input, call) => {
  // A call that waited past its deadline was answered "may have happened": it must not happen later.
  call.check()
  using entry = reach(directory, input.path, { last: "follow", doing: "changing", missing: "PARENT_NOT_FOUND" })
  assertNotRoot(entry)
  const bytes = Buffer.from(input.content)
  const log = call.log.bind(call)
  // Linking decides; looking first leaves the parent untouched when the answer is known.
  const found = lstatIfExists(directory, entry, "changing")
  if (found === null) publishNew(entry, bytes, entry.given, log)
  else if (input.overwrite) overwriteFile(entry, bytes, log)
  else throw new ToolError("PATH_ALREADY_EXISTS", { path: entry.given })
  return { path: absolute(directory, entry.named), status: "CREATED", size: bytes.length }
}
