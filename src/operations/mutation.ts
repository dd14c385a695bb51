/** What the five mutations share: where they work, and what "not there" means for each. */
import { type ErrorCode, ToolError } from "../errors.ts"
import type { DirEntry } from "../fs/root.ts"
import type { Stat } from "../fs/stat.ts"
import type { Log } from "../fs/write.ts"
import type { Admitted } from "../workdir/policy.ts"
import { parsePath } from "../workdir/relpath.ts"
import { isRevision, revisionOf } from "../workdir/revision.ts"
import type { Call, Directory } from "./operation.ts"

export interface Changing {
  readonly path: string
}

/** A change of something that exists. */
export interface Guarded extends Changing {
  readonly expectedRevision: string
}

/**
 * Runs `work` on the entry that the path names, its parent held open. `missing` is the code for what is not there: the
 * parent where something is created, the target elsewhere. Throws WORKDIR_UNAVAILABLE when the whole directory has gone.
 */
export function atEntry<T>(directory: Directory, input: Changing, call: Call, missing: ErrorCode, work: (entry: DirEntry, at: Admitted, log: Log) => T): T {
  // A call that waited past its deadline was answered "may have happened": it must not happen later.
  call.check()
  const at = directory.policy.admit(parsePath(input.path))
  if (at.isRoot) throw new ToolError("ROOT_MUTATION_NOT_ALLOWED", { path: at.given })
  try {
    using entry = directory.root.entry(at, "changing")
    return work(entry, at, (event, fields) => call.log(event, fields))
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "PATH_NOT_FOUND") throw error
    directory.root.assertAlive()
    throw missing === error.code ? error : new ToolError(missing, { path: at.given })
  }
}

const NO_REVISION = { detail: "expected_revision: this is no revision", advice: "pass on the `revision` that read_text_file or stat_file gave, as it is" }

/** Throws REVISION_CONFLICT when the entry is not the one that the caller has seen. */
export function assertExpected(stat: Stat, expectedRevision: string, at: Admitted): void {
  if (revisionOf(stat) === expectedRevision) return
  throw new ToolError("REVISION_CONFLICT", { path: at.given, ...(isRevision(expectedRevision) ? {} : NO_REVISION) })
}
