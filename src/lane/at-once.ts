/**
 * What the event loop answers by itself: what is in the kernel's memory needs no thread that may wait, and waking one costs more than the answer
 * (bench/README.md). Only a success is said here; everything else is for a lane to find out.
 */
import { ToolError } from "../errors.ts"
import { Resident, WouldWait } from "../fs/resident.ts"
import { AT_ONCE } from "../operations/at-once/index.ts"
import type { Near } from "../operations/at-once/at-once.ts"
import type { Input, Output, Read } from "../operations/index.ts"
import type { DirectorySettings } from "../operations/operation.ts"
import { Policy } from "../workdir/policy.ts"

type Fast = keyof typeof AT_ONCE

export class AtOnce {
  readonly #settings: DirectorySettings
  readonly #policy: Policy
  #near: Near | null = null
  /** Whether a lane has been asked for the directory since it last answered anew. */
  #asked = false

  constructor(settings: DirectorySettings) {
    this.#settings = settings
    this.#policy = new Policy(settings.policy)
  }

  /** Null when a lane has to be asked. */
  read<N extends Read>(op: N, input: Input<N>): Output<N> | null {
    if (this.#near === null || !isFast(op)) return null
    try {
      // The table pairs each name with what answers it.
      const answer = AT_ONCE[op] as (near: Near, input: unknown) => unknown
      return answer(this.#near, input) as Output<N>
    } catch (error) {
      if (error instanceof WouldWait || error instanceof ToolError) return null
      throw error
    }
  }

  /** To be called when a lane has answered. @param ask for lendRoot */
  async prepare(ask: () => Promise<Output<"lendRoot">>): Promise<void> {
    if (this.#asked) return
    this.#asked = true
    const { lent } = await ask().catch(() => ({ lent: null }))
    if (lent === null) return
    const resident = Resident.take(lent)
    // The directory was lost meanwhile.
    if (!this.#asked) return resident[Symbol.dispose]()
    this.#near = { resident, policy: this.#policy, settings: this.#settings }
  }

  /** To be called when the directory does not answer: it may be another one that answers next at its path. */
  lose(): void {
    this.#asked = false
    this.#near?.resident[Symbol.dispose]()
    this.#near = null
  }
}

function isFast(op: Read): op is Read & Fast {
  return op in AT_ONCE
}
