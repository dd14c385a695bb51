/** How many bytes of bodies one principal may have the gateway hold at once. One principal's bodies never refuse another's. */

/** What 64 calls in flight need for files of 1 MiB each. */
export const BODY_BUDGET_BYTES = 64 * 1024 * 1024

export interface Held extends Disposable {
  /** False when the budget does not allow these bytes as well; then none are added. */
  add(bytes: number): boolean
}

export class BodyBudget {
  readonly #held = new Map<string, number>()

  /** For one request: what is added is given back on disposal, when the call is over. */
  open(principal: string): Held {
    let own = 0
    return {
      add: (bytes) => {
        const held = (this.#held.get(principal) ?? 0) + bytes
        if (held > BODY_BUDGET_BYTES) return false
        this.#held.set(principal, held)
        own += bytes
        return true
      },
      [Symbol.dispose]: () => {
        const left = (this.#held.get(principal) ?? 0) - own
        own = 0
        if (left > 0) this.#held.set(principal, left)
        else this.#held.delete(principal)
      },
    }
  }
}
