/** What every change answers (contract §6). */
export interface OperationResult<S extends string> {
  /** Absolute; of a move or a copy, where it is now. */
  readonly path: string
  readonly status: S
  /** Bytes; null where nothing was written. */
  readonly size: number | null
}
