import type { Edit } from "../../src/workdir/edits.ts"

/** A mutation of ServerFS. */
export interface ServerFSCall {
  readonly service: "serverfs"
  readonly tool: "create_text_file" | "edit_text_file" | "dry_run" | "delete_file" | "create_directory" | "delete_directory"
  readonly path: string
  readonly content: string
  readonly edits: readonly Edit[]
}

/** A mutation of the Files service. */
export interface FilesCall {
  readonly service: "files"
  readonly tool: "create_file" | "update_file" | "delete_file" | "delete_tree" | "move" | "copy"
  readonly path: string
  /** Where a move or a copy leads; else "". */
  readonly dst: string
  readonly content: string
  readonly overwrite: boolean
  readonly deny: readonly string[]
}

/** What the sweep asks of its tracee. */
export interface Request {
  readonly root: string
  readonly call: ServerFSCall | FilesCall
  /** Of what is at the path; "" for nothing. */
  readonly revision: string
}

export interface Response {
  /** null = success. */
  readonly code: string | null
  readonly message: string
  /** Entries that a recursive operation says it had removed when it stopped. */
  readonly removed: number
  /** Names of the events that went to the operator's log. */
  readonly logged: readonly string[]
}

/** Names that the tracee asks for in no directory, to be found in its trace. */
export const MARK_BEGIN = "serverfs-begin"
export const MARK_END = "serverfs-end"
