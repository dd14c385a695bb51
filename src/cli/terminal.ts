/** Where a command writes: results to stdout, everything for the operator's eyes to stderr. */
export interface Terminal {
  /** What can't be written is a StdoutError. */
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { write(text: string): unknown }
}

/** Exit statuses of the commands. */
export const DONE = 0
export const FAILED = 1
export const USAGE = 2
