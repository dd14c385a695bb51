import type { Edit } from "../../src/workdir/edits.ts"

/** What the sweep asks of its tracee. */
export interface Request {
  readonly root: string
  readonly tool: "create_text_file" | "edit_text_file" | "dry_run" | "delete_file" | "create_directory" | "delete_directory"
  readonly path: string
  readonly content: string
  readonly edits: readonly Edit[]
  readonly revision: string
}

export interface Response {
  /** null = success. */
  readonly code: string | null
  readonly message: string
  /** Names of the events that went to the operator's log. */
  readonly logged: readonly string[]
}

/** Names that the tracee asks for in no directory, to be found in its trace. */
export const MARK_BEGIN = "serverfs-begin"
export const MARK_END = "serverfs-end"
