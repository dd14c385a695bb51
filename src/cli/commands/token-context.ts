/** What the token commands are given besides their arguments. */
import type { Terminal } from "../terminal.ts"

export interface TokenContext extends Terminal {
  readonly stateDir: string
  /** null for an action that has no use for it. */
  readonly served: Served | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** What the configuration that the command was given serves. */
export interface Served {
  readonly mounts: readonly string[]
  readonly aliases: readonly string[]
}
