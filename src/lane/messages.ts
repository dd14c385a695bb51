/** What passes between a lane and the main thread; packet.ts says how. */
import type { About, ErrorCode } from "../errors.ts"
import type { OperationName } from "../operations/index.ts"
import type { DirectorySettings } from "../operations/operation.ts"

/** The first message, and the only one that is cloned. */
export interface Opening {
  readonly settings: DirectorySettings
  /** On shared memory. */
  readonly shared: Int32Array
}

/** Places in the shared memory. */
export const SHARED = {
  /** The id of the call whose code runs now, so that a hung call can be told from those behind it. */
  current: 0,
  /** 1 once the lane has loaded. */
  started: 1,
} as const

export type ToLane =
  /** `sent` and `until`, the deadline, are on the main thread's performance.now(), which is not the lane's; null = no deadline. */
  | {
    readonly kind: "call"; readonly id: number; readonly op: OperationName; readonly input: unknown
    readonly sent: number; readonly until: number | null; readonly progress: boolean
  }
  | { readonly kind: "cancel"; readonly id: number }
  | { readonly kind: "granted"; readonly id: number }
  /** Another lane has found the directory gone: the next call opens it anew. */
  | { readonly kind: "reopen" }
  | { readonly kind: "ping" }

export type FromLane =
  /** `texts`: these members of the value, each so long, come behind it (packet.ts). */
  | { readonly kind: "done"; readonly id: number; readonly value: unknown; readonly texts?: readonly (readonly [name: string, length: number])[] }
  | { readonly kind: "failed"; readonly id: number; readonly failure: Failure }
  | { readonly kind: "progress"; readonly id: number; readonly done: number; readonly total: number | null }
  | { readonly kind: "want"; readonly id: number }
  | { readonly kind: "release"; readonly id: number }
  | { readonly kind: "log"; readonly event: string; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: "pong" }

/** A thrown error as data; `crash` is the detail of one that was not foreseen. */
export type Failure =
  | { readonly code: ErrorCode; readonly about: About }
  | { readonly cancelled: true }
  | { readonly crash: string }
