/** Mutations as the lane runs them, in the test's own thread. */
import type { Limits } from "../../src/config/config.ts"
import { LaneCall } from "../../src/lane/lane-call.ts"
import { createDirectory } from "../../src/operations/create-directory.ts"
import { createTextFile } from "../../src/operations/create-text-file.ts"
import { deleteDirectory } from "../../src/operations/delete-directory.ts"
import { deleteFile } from "../../src/operations/delete-file.ts"
import { editTextFile } from "../../src/operations/edit-text-file.ts"
import type { Operation } from "../../src/operations/operation.ts"
import { statFile } from "../../src/operations/stat-file.ts"
import type { Edit } from "../../src/workdir/edits.ts"
import { inLane, settingsOf } from "./in-lane.ts"
import { LIMITS } from "./limits.ts"

export const edit = (old_text: string, new_text: string, expected_count = 1): Edit => ({ old_text, new_text, expected_count })

/** A revision of the right form that nothing has. */
export const STALE = "v1:0000000000000000"

/** @param log takes the names of the events that a mutation logs */
export function mutating(root: string, limits: Partial<Limits> = {}, log: (event: string) => void = () => {}) {
  const settings = settingsOf(root, { limits: { ...LIMITS, ...limits } })
  const run = <I, O>(operate: Operation<I, O>, input: I) => inLane(settings, operate, input, new LaneCall(1, 10_000, false, (message) => { if (message.kind === "log") log(message.event) }, () => {}))
  const revision = async (path: string) => (await run(statFile, { path })).revision
  const expected = async (path: string, given?: string) => ({ path, expectedRevision: given ?? (await revision(path)) })
  return {
    revision,
    create: (path: string, content = "x") => run(createTextFile, { path, content }),
    edit: async (path: string, edits: readonly Edit[], given?: string) => run(editTextFile, { ...(await expected(path, given)), edits, dryRun: false }),
    dryRun: async (path: string, edits: readonly Edit[], given?: string) => run(editTextFile, { ...(await expected(path, given)), edits, dryRun: true }),
    deleteFile: async (path: string, given?: string) => run(deleteFile, await expected(path, given)),
    createDirectory: (path: string) => run(createDirectory, { path }),
    deleteDirectory: async (path: string, given?: string) => run(deleteDirectory, await expected(path, given)),
  }
}
