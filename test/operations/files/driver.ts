/** The nine operations as the lane runs them, in the test's own thread, with a lock that is always free. */
import { ToolError } from "../../../src/errors.ts"
import { LaneCall } from "../../../src/lane/lane-call.ts"
import type { FromLane } from "../../../src/lane/messages.ts"
import { filesCopy } from "../../../src/operations/files/copy.ts"
import { filesCreate } from "../../../src/operations/files/create-file.ts"
import { filesDelete } from "../../../src/operations/files/delete-file.ts"
import { filesDeleteTree } from "../../../src/operations/files/delete-tree.ts"
import { filesList } from "../../../src/operations/files/list-dir.ts"
import { filesMove } from "../../../src/operations/files/move.ts"
import { filesRead } from "../../../src/operations/files/read-file.ts"
import { filesSearch } from "../../../src/operations/files/search.ts"
import { filesStat } from "../../../src/operations/files/stat.ts"
import { filesUpdate } from "../../../src/operations/files/update-file.ts"
import type { Operation } from "../../../src/operations/operation.ts"
import type { Decoded } from "../../helpers/decoded.ts"
import { inLane, settingsOf } from "../../helpers/in-lane.ts"

export interface DriverOptions {
  readonly deny?: readonly string[]
  readonly configuredRoot?: string
  readonly maxBytes?: number
  readonly maxEntries?: number
  /** Until the deadline of each call. */
  readonly ms?: number
  /** Sees what each call says to the main thread before the call goes on, and may act on it. */
  readonly watch?: (message: FromLane, call: LaneCall) => void
}

export type Files = ReturnType<typeof filesIn>

export function filesIn(root: string, { configuredRoot = root, deny = [], maxBytes = 1_048_576, maxEntries = 10_000, ms = 60_000, watch }: DriverOptions = {}) {
  const policy = { allowHidden: true, disableDefaultDeny: true, extraDenyGlobs: deny }
  const settings = settingsOf(root, { policy, files: { configuredRoot, maxBytes, maxEntries } })
  const run = <I, O>(operation: Operation<I, O>, input: I): Promise<Decoded<O>> => {
    const call: LaneCall = new LaneCall(1, ms, true, (message) => {
      watch?.(message, call)
      if (message.kind === "want") setImmediate(() => call.grant())
    }, () => {})
    return inLane(settings, operation, input, call)
  }
  return {
    create: (path: string, content = "new", overwrite = false) => run(filesCreate, { path, content, overwrite }),
    read: (path: string) => run(filesRead, { path }),
    update: (path: string, content = "new") => run(filesUpdate, { path, content }),
    remove: (path: string, recursive = false) => run(recursive ? filesDeleteTree : filesDelete, { path }),
    list: (path: string, depth = 0) => run(filesList, { path, depth }),
    stat: (path: string) => run(filesStat, { path }),
    search: (path: string, pattern = "*", recursive = true) => run(filesSearch, { path, pattern, recursive }),
    move: (src: string, dst: string, overwrite = false) => run(filesMove, { src, dst, overwrite }),
    copy: (src: string, dst: string, overwrite = false) => run(filesCopy, { src, dst, overwrite }),
  }
}

/** "ok", or the code of the refusal. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return "ok"
  } catch (error) {
    if (error instanceof ToolError) return error.code
    throw error
  }
}

/** The refusal itself; fails when there is none. */
export async function refused(work: Promise<unknown>): Promise<ToolError> {
  try {
    await work
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
  throw new Error("a refusal was expected, and it succeeded")
}
