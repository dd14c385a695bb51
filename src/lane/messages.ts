/** What passes between a lane and the main thread. Inputs and results travel as JSON text: measured three times as fast as cloning. */
import type { About, ErrorCode } from "../errors.ts"
import type { OperationName } from "../operations/index.ts"

export type ToLane =
  /** `current` is shared memory: the id of the call whose code runs now, so that a hung call can be told from those behind it. */
  | { readonly kind: "open"; readonly settings: string; readonly current: SharedArrayBuffer }
  /** `sent` and `until`, the deadline, are on the main thread's performance.now(), which is not the lane's. */
  | {
    readonly kind: "call"; readonly id: number; readonly op: OperationName; readonly input: string
    readonly sent: number; readonly until: number; readonly progress: boolean
  }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "granted"; readonly id: number }
  | { readonly kind: "ping" }

export type FromLane =
  | { readonly kind: "opened" }
  | { readonly kind: "done"; readonly id: number; readonly value: string }
  | { readonly kind: "failed"; readonly id: number; readonly failure: string }
  | { readonly kind: "progress"; readonly id: number; readonly done: number; readonly total: number | null }
  | { readonly kind: "want"; readonly id: number }
  | { readonly kind: "release"; readonly id: number }
  | { readonly kind: "log"; readonly event: string; readonly fields: string }
  | { readonly kind: "pong" }

/** A thrown error as data; `crash` is the detail of one that was not foreseen. */
export type Failure =
  | { readonly code: ErrorCode; readonly about: About }
  | { readonly cancelled: true }
  | { readonly crash: string }
