/** What every change answers (contract §6). */
export interface OperationResult {
  /** Absolute; of a move or a copy, where it is now. */
  readonly path: string
  readonly status: "CREATED" | "UPDATED" | "DELETED" | "MOVED" | "COPIED"
  /** Bytes; null where nothing was written. */
  readonly size: number | null
}
