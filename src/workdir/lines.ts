const NEWLINE = 0x0a

/** The lines of a text by number, from 0; each keeps its "\n". Offsets are bytes. */
export class Lines {
  readonly #text: Buffer
  /** Where each line begins, and the text's end. */
  readonly #starts: number[]

  constructor(text: Buffer) {
    this.#text = text
    this.#starts = [0]
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) this.#starts.push(at + 1)
    if (this.#starts.at(-1) !== text.length) this.#starts.push(text.length)
  }

  get size(): number {
    return this.#text.length
  }

  get count(): number {
    return this.#starts.length - 1
  }

  startOf(line: number): number {
    return this.#starts[line] ?? this.size
  }

  /** The first line that begins at `offset` or after it. */
  lineFrom(offset: number): number {
    let low = 0, high = this.#starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.startOf(middle) < offset) low = middle + 1
      else high = middle
    }
    return low
  }

  startsAt(offset: number): boolean {
    return this.startOf(this.lineFrom(offset)) === offset
  }

  /** The line that `offset` is in. */
  lineHolding(offset: number): number {
    return this.lineFrom(offset + 1) - 1
  }

  /** How many lines end, with their "\n", at `offset` or before it. */
  endedBy(offset: number): number {
    const unfinished = offset === this.size && this.#text.at(-1) !== NEWLINE && this.size > 0
    return this.lineHolding(offset) - (unfinished ? 1 : 0)
  }

  same(line: number, other: Lines, otherLine: number): boolean {
    const [start, end] = [this.startOf(line), this.startOf(line + 1)]
    const [otherStart, otherEnd] = [other.startOf(otherLine), other.startOf(otherLine + 1)]
    return end - start === otherEnd - otherStart && this.#text.compare(other.#text, otherStart, otherEnd, start, end) === 0
  }

  /** Adds lines `start` … `end` (excluded) to a diff, each behind `sign`. */
  write(sign: string, start: number, end: number, out: string[]): void {
    for (let line = start; line < end; line++) {
      const stop = this.startOf(line + 1)
      const whole = this.#text[stop - 1] === NEWLINE
      out.push(sign + this.#text.toString("utf8", this.startOf(line), whole ? stop - 1 : stop))
      if (!whole) out.push("\\ No newline at end of file")
    }
  }
}
