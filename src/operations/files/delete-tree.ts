/** delete_file with recursive: whatever has the name, and everything in it. */
import { ToolError } from "../../errors.ts"
import type { Followed } from "../../fs/follow.ts"
import { refusedIn } from "../../fs/tree/check.ts"
import { syncDirectory } from "../../fs/write.ts"
import type { Call, Operation } from "../operation.ts"
import { absolute, assertNotRoot, lstat, reach } from "./entry.ts"
import { removeInSlices } from "./remove-in-slices.ts"
import type { OperationResult } from "./result.ts"

export const filesDeleteTree: Operation<{ readonly path: string }, OperationResult<"DELETED">> = async (directory, input, call) => {
  using entry = reach(directory, input.path, { last: "keep", doing: "changing" })
  assertNotRoot(entry)
  const { type } = lstat(directory, entry, "changing")
  const denied = (name: string): boolean => directory.policy.refuses(name) === "DENIED_PATH"
  const narrowed = directory.policy.denyGlobs.length > 0
  if (narrowed && type === "directory") await assertNoneIn(entry, denied, call)
  await removeInSlices(entry, { given: entry.given, unchangedSince: null, ...(narrowed ? { denied } : {}) }, call)
  syncDirectory(entry.dir, entry.given, call.log.bind(call))
  return { path: absolute(directory, entry.named), status: "DELETED", size: null }
}

/** What the operator put out of reach does not go with what is around it. Looked for beforehand, since half a tree helps nobody. */
async function assertNoneIn(entry: Followed, denied: (name: string) => boolean, call: Call): Promise<void> {
  for (const found of refusedIn(entry, denied)) {
    if (found) throw new ToolError("DENIED_PATH", { path: entry.given, detail: "the deny rules of this gateway cover a name inside it; nothing was removed" })
    await call.breathe()
  }
}
