/** How many bytes one principal may have the gateway hold at once. What one principal has held never refuses another's requests. */

/** Of bodies whose calls go on: what 64 calls in flight need for files of 1 MiB each. */
export const BODY_BYTES = 64 * 1024 * 1024
/** Of large answers that have not been sent: over it no further request is taken, until the client has read some. */
export const UNSENT_BYTES = 64 * 1024 * 1024

export interface Held extends Disposable {
  /** False when the budget does not allow these bytes as well; then none are added. */
  add(bytes: number): boolean
}

export class MemoryBudget {
  readonly #bodies = new Tally()
  readonly #unsent = new Tally()
  readonly #refused: (principal: string) => void

  /** @param refused told of each refusal */
  constructor(refused: (principal: string) => void) {
    this.#refused = refused
  }

  /** For the body of one request: what is added is given back on disposal, when the call is over. */
  open(principal: string): Held {
    let own = 0
    return {
      add: (bytes) => {
        if (this.#unsent.of(principal) >= UNSENT_BYTES || this.#bodies.of(principal) + bytes > BODY_BYTES) {
          this.#refused(principal)
          return false
        }
        this.#bodies.add(principal, bytes)
        own += bytes
        return true
      },
      [Symbol.dispose]: () => {
        this.#bodies.add(principal, -own)
        own = 0
      },
    }
  }

  /**
   * Counts an answer, which is there already and is never refused. The result is to be called once it has been sent; nothing is counted
   * any more when the client has gone, since what has not begun to be sent by then never is.
   */
  unsent(principal: string, bytes: number, gone: AbortSignal): () => void {
    if (gone.aborted) return () => {}
    this.#unsent.add(principal, bytes)
    let own = bytes
    const release = (): void => {
      gone.removeEventListener("abort", release)
      this.#unsent.add(principal, -own)
      own = 0
    }
    gone.addEventListener("abort", release)
    return release
  }
}

/** Bytes by principal; none is kept that has none. */
class Tally {
  readonly #bytes = new Map<string, number>()

  of(principal: string): number {
    return this.#bytes.get(principal) ?? 0
  }

  add(principal: string, bytes: number): void {
    const sum = this.of(principal) + bytes
    if (sum > 0) this.#bytes.set(principal, sum)
    else this.#bytes.delete(principal)
  }
}
