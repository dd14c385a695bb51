/** Lines of an open file by byte position, a block at a time: memory is bounded however long a line is. */
import type { Fd } from "../../fs/fd.ts"
import { readAt } from "../../fs/file.ts"

/** Awaited between two blocks; throws when it is time to stop. */
export type Breathe = () => Promise<void>

export interface LineFileSource {
  readonly fd: Fd
  /** Bytes, when it was opened. */
  readonly size: number
  /** As messages name it. */
  readonly given: string
}

export const BLOCK_BYTES = 65_536
const NEWLINE = 0x0a

export class LineFile {
  readonly #source: LineFileSource
  readonly #breathe: Breathe
  readonly #block: Uint8Array
  #blockAt = -1
  #blockLength = 0

  /** @param block of BLOCK_BYTES, this file's own while it is read: fresh pages for each of 51 files cost twice as much as reading them (7 ms for 2.5) */
  constructor(source: LineFileSource, block: Uint8Array, breathe: Breathe) {
    this.#source = source
    this.#block = block
    this.#breathe = breathe
  }

  /** True at the start of the file and right after a newline. */
  isLineStart(offset: number): boolean {
    return offset === 0 || this.#from(offset - 1)[0] === NEWLINE
  }

  /** Where the line begins that ends with the byte before `offset`: the line before the one that begins there. */
  async previousStart(offset: number): Promise<number> {
    let at = offset - 1
    while (at > 0) {
      const bytes = this.#before(at)
      const newline = bytes.lastIndexOf(NEWLINE)
      if (newline >= 0) return at - bytes.length + newline + 1
      at -= bytes.length
      await this.#breathe()
    }
    return 0
  }

  /** The line from `start` on, without its newline, in pieces of at most a block. A piece is valid until the next one. */
  async *pieces(start: number): AsyncGenerator<Uint8Array, void, void> {
    let at = start
    for (;;) {
      const bytes = this.#from(at)
      const newline = bytes.indexOf(NEWLINE)
      if (newline >= 0) return yield bytes.subarray(0, newline)
      if (bytes.length === 0) return
      yield bytes
      at += bytes.length
      await this.#breathe()
    }
  }

  /** Where the line after the one at `start` begins, or null when that was the last. */
  async nextStart(start: number): Promise<number | null> {
    let at = start
    for await (const piece of this.pieces(start)) at += piece.length
    return at + 1 < this.#source.size ? at + 1 : null
  }

  /** Up to `length` bytes of the line at `start`. */
  head(start: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length)
    const got = readAt(this.#source.fd, bytes, start, this.#source.given)
    const newline = bytes.indexOf(NEWLINE)
    return bytes.subarray(0, newline >= 0 && newline < got ? newline : got)
  }

  /** From `offset` to the end of its block; empty at the end of the file. */
  #from(offset: number): Uint8Array {
    this.#load(offset)
    return this.#block.subarray(offset - this.#blockAt, this.#blockLength)
  }

  /** From the start of the block up to `offset`, which is over 0. */
  #before(offset: number): Uint8Array {
    this.#load(offset - 1)
    return this.#block.subarray(0, Math.min(offset - this.#blockAt, this.#blockLength))
  }

  #load(offset: number): void {
    const blockAt = offset - (offset % BLOCK_BYTES)
    if (blockAt === this.#blockAt) return
    this.#blockAt = blockAt
    this.#blockLength = readAt(this.#source.fd, this.#block, blockAt, this.#source.given)
  }
}
