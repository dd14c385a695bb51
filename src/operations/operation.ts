/** The shape of everything that runs inside a lane. */
import type { FilesConfig, Limits, PolicyConfig } from "../config/config.ts"
import type { Root } from "../fs/root.ts"
import type { Policy } from "../workdir/policy.ts"

/** What a lane is told once, when it starts; plain data. */
export interface DirectorySettings {
  /** How the operator's log names it: the alias, or "files". */
  readonly name: string
  /** Real path of the configured directory. Goes to no message and no log. */
  readonly root: string
  readonly policy: PolicyConfig
  readonly limits: Limits
  /** Set for the Files root alone. */
  readonly files: Pick<FilesConfig, "configuredRoot" | "maxBytes" | "maxEntries"> | null
  /** What starts ripgrep. */
  readonly ripgrep: string
}

/** The directory that a lane belongs to, open. */
export interface Directory {
  readonly root: Root
  readonly policy: Policy
  readonly settings: DirectorySettings
}

/** One call while it runs. */
export interface Call {
  /** Aborted when the client goes away or the deadline passes. */
  readonly signal: AbortSignal
  /** Milliseconds that are left. */
  remainingMs(): number
  /** Throws Cancelled when the client has gone, WORKDIR_UNAVAILABLE past the deadline. */
  check(): void
  /** Every few milliseconds lets other calls of the lane in, then checks; otherwise returns at once. Call it in every long loop. */
  breathe(): Promise<void>
  /** Whether breathe() would let others in now: to be asked by loops with a step so short that a promise for each would cost more. */
  readonly isDue: boolean
  /** Tells the client how far it is, if it asked; cheap to call often. */
  progress(done: number, total?: number): void
  /** Runs `work`, which must be short and synchronous, under the process-wide mutation lock. For the tree operations. */
  locked<T>(work: () => T): Promise<T>
  /** An event for the operator's log, such as directory_fsync_failed. */
  log(event: string, fields: Readonly<Record<string, unknown>>): void
}

/**
 * One thing that a lane can do. Which table of index.ts it stands in says how it holds the mutation lock.
 * Outputs are plain JSON data: they travel as text.
 */
export type Operation<I, O> = (directory: Directory, input: I, call: Call) => O | Promise<O>
