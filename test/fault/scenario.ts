/** One path through one mutation, with the tree that it starts from. */
import type { Scratch } from "../helpers/scratch.ts"
import type { Request } from "./messages.ts"

export interface Scenario {
  readonly name: string
  readonly call: Request["call"]
  /** Faults that make the system one on which this path is taken. */
  readonly always: readonly string[]
  /**
   * The one state between the old tree and the new one that may be seen: "removing" = what is new is there whole, and some of
   * what goes is left. The answer to a failure says so. null = there is none.
   */
  readonly between: "removing" | null
  /** What a kill alone may leave, where the system has no call that does both at once. */
  readonly killed?: "two names" | "an empty directory" | "the link at src"
  /** The code with which it is always refused; null where it succeeds. */
  readonly refused: string | null
  plant(): Scratch
}

export const isRoot = process.geteuid?.() === 0
