/** delete_file without recursive: one name of a file, or a link, whatever it points to. */
import { ToolError } from "../../errors.ts"
import { removeFile } from "../../fs/remove.ts"
import { dropTwins } from "../../fs/twin.ts"
import type { Operation } from "../operation.ts"
import { absolute, assertNotRoot, lstat, reach } from "./entry.ts"
import type { OperationResult } from "./result.ts"

export const filesDelete: Operation<{ readonly path: string }, OperationResult<"DELETED">> = (directory, input, call) => {
  // A call that waited past its deadline was answered "may have happened": it must not happen later.
  call.check()
  using entry = reach(directory, input.path, { last: "keep", doing: "changing" })
  assertNotRoot(entry)
  const stat = lstat(directory, entry, "changing")
  const { type } = stat
  if (type === "directory") throw new ToolError("NOT_A_FILE", { path: entry.given, detail: "this is a directory", advice: "recursive=true deletes it with all that is in it" })
  if (type === "other") throw new ToolError("UNSUPPORTED_FILE_TYPE", { path: entry.given, advice: "recursive=true deletes it" })
  dropTwins(entry, stat, entry.given)
  removeFile(entry, entry.given, call.log.bind(call))
  return { path: absolute(directory, entry.named), status: "DELETED", size: null }
}
