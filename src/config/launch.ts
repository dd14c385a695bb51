/** What a start hands to the gateway, across the re-execution that confines the process: plain JSON. */
import type { Config } from "./config.ts"
import type { Warning } from "./warning.ts"

export interface Launch {
  readonly config: Config
  readonly warnings: readonly Warning[]
  /** ripgrep's file; null when the program carries it. */
  readonly ripgrep: string | null
  /** True when a feature fetches from other hosts. */
  readonly connectsOut: boolean
  /** Replace a lost first token. */
  readonly newToken: boolean
}
