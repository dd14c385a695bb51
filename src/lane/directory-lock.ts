/** One directory's side of the mutation lock. */
import type { Lease, MutationLock } from "./mutation-lock.ts"

interface Wish {
  readonly granted: () => void
  withdraw: () => void
  lease: Lease | undefined
  lost: boolean
}

export interface LockEvents {
  /** A holder has lost the lock. */
  lost(): void
  /** Every one that had has come back. */
  returned(): void
}

const nothing = (): void => {}

/**
 * Once a holder of this directory has lost the lock (contract §5), nothing of the directory stands in its queue until that
 * holder has come back: whoever got it would hang too, and the others would wait two seconds for each.
 */
export class DirectoryLock {
  readonly #lock: MutationLock
  readonly #events: LockEvents
  readonly #waiting = new Set<Wish>()
  /** Holders that lost the lock and have not come back. */
  #lost = 0

  constructor(lock: MutationLock, events: LockEvents) {
    this.#lock = lock
    this.#events = events
  }

  /** True while a holder that lost the lock has not come back. */
  get lost(): boolean {
    return this.#lost > 0
  }

  /** @returns what ends the request: taken back while it waits, released once held */
  request(granted: () => void): () => void {
    const wish: Wish = { granted, withdraw: nothing, lease: undefined, lost: false }
    this.#waiting.add(wish)
    if (!this.lost) this.#queue(wish)
    return () => this.#end(wish)
  }

  #queue(wish: Wish): void {
    wish.withdraw = this.#lock.request((lease) => {
      wish.lease = lease
      this.#waiting.delete(wish)
      wish.granted()
    }, () => this.#lose(wish))
  }

  #lose(wish: Wish): void {
    wish.lost = true
    this.#lost++
    for (const each of this.#waiting) each.withdraw()
    this.#events.lost()
  }

  #end(wish: Wish): void {
    this.#waiting.delete(wish)
    wish.withdraw()
    wish.lease?.release()
    if (!wish.lost) return
    wish.lost = false
    this.#lost--
    if (this.lost) return
    this.#events.returned()
    for (const each of this.#waiting) this.#queue(each)
  }
}
