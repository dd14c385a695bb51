/**
 * The one process-wide mutation lock: first come, first served, shared by both services, held for one check-and-commit.
 * A holder that has not finished within two seconds while others wait loses it (contract §5): its own directory then
 * refuses mutations until it returns, which is safe because two writable roots never overlap.
 */

const HOLD_MS = 2000

export interface Lease {
  /** Gives the lock to the next in line. Calling it again does nothing. */
  release(): void
}

interface Waiter {
  readonly grant: (lease: Lease) => void
  readonly lost: () => void
}

interface Holder {
  readonly since: number
  readonly lost: () => void
  /** Runs from the moment that others wait. */
  timer: ReturnType<typeof setTimeout> | undefined
}

export class MutationLock {
  readonly #queue: Waiter[] = []
  readonly #holdMs: number
  #holder: Holder | null = null

  /** @param holdMs how long a holder may make others wait */
  constructor(holdMs = HOLD_MS) {
    this.#holdMs = holdMs
  }

  /** Mutations that wait. */
  get waiting(): number {
    return this.#queue.length
  }

  /**
   * Queues for the lock.
   * @param grant called with the lease when it is this one's turn
   * @param lost called when the lock was taken away from this holder; its directory must refuse until it returns
   * @returns takes the request back; too late once granted
   */
  request(grant: (lease: Lease) => void, lost: () => void): () => void {
    const waiter: Waiter = { grant, lost }
    this.#queue.push(waiter)
    this.#next()
    this.#limit()
    return () => {
      const index = this.#queue.indexOf(waiter)
      if (index >= 0) this.#queue.splice(index, 1)
    }
  }

  /** A holder that others wait for has so long in all. */
  #limit(): void {
    const holder = this.#holder
    if (holder === null || this.#queue.length === 0) return
    holder.timer ??= setTimeout(() => this.#take(holder), Math.max(0, holder.since + this.#holdMs - performance.now()))
  }

  /** Takes the lock from a holder that does not come back, unless nobody wants it any more. */
  #take(holder: Holder): void {
    holder.timer = undefined
    if (this.#queue.length === 0) return
    this.#holder = null
    holder.lost()
    this.#next()
  }

  #next(): void {
    if (this.#holder !== null) return
    const waiter = this.#queue.shift()
    if (waiter === undefined) return
    const holder: Holder = { since: performance.now(), lost: waiter.lost, timer: undefined }
    this.#holder = holder
    this.#limit()
    waiter.grant({ release: () => this.#release(holder) })
  }

  #release(holder: Holder): void {
    if (this.#holder !== holder) return
    clearTimeout(holder.timer)
    this.#holder = null
    this.#next()
  }
}
