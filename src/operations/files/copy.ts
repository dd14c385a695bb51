/** copy: a file, or a directory with all that is in it. */
import type { Operation } from "../operation.ts"
import { copyEntry } from "./copy-entry.ts"
import { type EndsInput, openEnds } from "./ends.ts"
import { absolute } from "./entry.ts"
import type { OperationResult } from "./result.ts"

export const filesCopy: Operation<EndsInput, OperationResult<"COPIED">> = async (directory, input, call) => {
  using ends = openEnds(directory, input, "follow", "reading")
  const size = await copyEntry(directory, ends, call)
  return { path: absolute(directory, ends.to.named), status: "COPIED", size }
}
