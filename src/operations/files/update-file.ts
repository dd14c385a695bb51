/** update_file: new content for a file that exists. */
import type { Operation } from "../operation.ts"
import { overwriteFile } from "./overwrite-file.ts"
import { absolute, assertNotRoot, lstat, reach } from "./entry.ts"
import type { OperationResult } from "./result.ts"

export interface FilesUpdateInput {
  readonly path: string
  /** Well-formed, without a NUL, within the limit: checked before the lock is asked for. */
  readonly content: string
}

export const filesUpdate: Operation<FilesUpdateInput, OperationResult<"UPDATED">> = (directory, input, call) => {
  // A call that waited past its deadline was answered "may have happened": it must not happen later.
  call.check()
  using entry = reach(directory, input.path, { last: "follow", doing: "changing" })
  assertNotRoot(entry)
  lstat(directory, entry, "changing")
  const bytes = Buffer.from(input.content)
  overwriteFile(entry, bytes, call.log.bind(call))
  return { path: absolute(directory, entry.named), status: "UPDATED", size: bytes.length }
}
