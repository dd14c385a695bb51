/** An open descriptor that closes itself. Its number is for this folder alone. */
import { close } from "./libc.unsafe.ts"

export class Fd implements Disposable {
  #number: number
  readonly #owned: boolean

  private constructor(number: number, owned: boolean) {
    this.#number = number
    this.#owned = owned
  }

  /** Takes over a descriptor that a libc function has just returned. */
  static own(number: number): Fd {
    if (!Number.isInteger(number) || number < 0) throw new TypeError("not a descriptor")
    return new Fd(number, true)
  }

  /** The same descriptor, for somebody who must not close it. */
  lend(): Fd {
    return new Fd(this.#number, false)
  }

  /** For calls inside fs/ only; the boundary test holds the rest of the program to that. */
  get number(): number {
    if (this.#number < 0) throw new Error("the descriptor is closed")
    return this.#number
  }

  /** The kernel's own name for it, for linkat(2) and as a child's working directory. */
  get procPath(): string {
    return `/proc/self/fd/${this.number}`
  }

  [Symbol.dispose](): void {
    if (this.#owned && this.#number >= 0) close(this.#number)
    this.#number = -1
  }
}
