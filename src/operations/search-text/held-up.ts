/** Notices that ripgrep waits, and ends it when an ignore file that is none is why: it opens a FIFO of that name, whoever will ever write to it. */

/** How long it must have done next to nothing. */
const IDLE_MS = 1000
const BEAT_MS = 250
/** Of one processor: threads that have no work look for some every millisecond (measured: 7 % for eight of them). */
const IDLE_SHARE = 0.25

/** As much of a running ripgrep as there is to know. */
interface Running {
  /** Somebody waits for its output. */
  readonly isAwaited: boolean
  /** CPU time that it has used. */
  readonly cpuMs: number
  end(): void
}

/** Looks for what may hold ripgrep up. @param proceed throws when nobody wants to know any more */
type Find = (proceed: () => void) => Promise<string | null>

export class HeldUp implements Disposable {
  readonly #ripgrep: Running
  readonly #find: Find
  readonly #timer: ReturnType<typeof setInterval>
  #since = performance.now()
  #cpuMs = 0
  #culprit: string | null = null
  #over = false

  /** @param find asked once at most, since it walks through the whole tree */
  constructor(ripgrep: Running, find: Find) {
    this.#ripgrep = ripgrep
    this.#find = find
    this.#timer = setInterval(() => this.#look(), BEAT_MS)
  }

  /** The directory of what it was ended for, from the searched one on; null when it was not. */
  get culprit(): string | null {
    return this.#culprit
  }

  #look(): void {
    if (!this.#isIdle) {
      this.#since = performance.now()
      this.#cpuMs = this.#ripgrep.cpuMs
    } else if (performance.now() - this.#since >= IDLE_MS) void this.#examine()
  }

  get #isIdle(): boolean {
    return this.#ripgrep.isAwaited && this.#ripgrep.cpuMs - this.#cpuMs <= IDLE_SHARE * (performance.now() - this.#since)
  }

  async #examine(): Promise<void> {
    clearInterval(this.#timer)
    const found = await this.#find(() => this.#proceed()).catch(() => null)
    if (found === null || this.#over || !this.#isIdle) return
    this.#culprit = found
    this.#ripgrep.end()
  }

  #proceed(): void {
    if (this.#over) throw new Error("the search is over")
  }

  [Symbol.dispose](): void {
    this.#over = true
    clearInterval(this.#timer)
  }
}
