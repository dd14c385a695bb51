/** A call's place among those in flight: it is given back once the call has been answered and every thread that works for it has come back. */

/** Says that something goes on for a call, even when that has been answered meanwhile; the result says that it has ended. */
export type Begin = () => () => void

export class Place {
  readonly #leave: () => void
  /** The call itself is one. */
  #parts = 1

  constructor(leave: () => void) {
    this.#leave = leave
  }

  readonly begin: Begin = () => {
    this.#parts += 1
    let ended = false
    return () => {
      if (!ended) this.end()
      ended = true
    }
  }

  /** The call has been answered. */
  end(): void {
    this.#parts -= 1
    if (this.#parts === 0) this.#leave()
  }
}
