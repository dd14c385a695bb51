/** What the token commands are given besides their arguments. */
import type { Terminal } from "./terminal.ts"

export interface TokenContext extends Terminal {
  readonly stateDir: string
  readonly served: Served
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** What the configuration serves now. */
export interface Served {
  readonly mounts: readonly string[]
  readonly aliases: readonly string[]
}
