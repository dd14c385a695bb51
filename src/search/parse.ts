/** ripgrep's records as proposals: where a match may be. What is there is read by the lane, not taken from ripgrep. */

export interface Proposal {
  /** Relative to the searched directory, without `./`. */
  readonly path: string
  /** From 1. */
  readonly line: number
  /** Byte at which the line begins. */
  readonly offset: number
}

const NEWLINE = 0x0a
const COLON = 0x3a
/** A path is at most 4,096 bytes for any process, the rest of a record under 64. */
const MAX_RECORD_BYTES = 65_536

/**
 * Behind the path of a file that matched and then turned out to be binary, ripgrep 15 says this on stdout, in a line of its own
 * that has no NUL: it would seem the beginning of the next record's path.
 */
const WARNING = Buffer.from(': WARNING: stopped searching binary file after match (found "\\0" byte around offset ')

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** null when it is not valid UTF-8: nobody could address it. */
function decodePath(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes).replace(/^\.\//, "")
  } catch {
    return null
  }
}

/** Decimal digits up to the colon; NaN when there is something else. */
function number(bytes: Uint8Array, from: number, to: number): number {
  let value = from < to ? 0 : Number.NaN
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] ?? 0) - 0x30
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN
  }
  return value
}

export class RecordParser {
  /** The start of a record that has not ended yet. */
  #rest: Uint8Array = new Uint8Array(0)
  /** The path of the last record, as it came. */
  #last: Uint8Array = new Uint8Array(0)

  /** The proposals that this chunk completes. Throws when it is not what ripgrep writes. */
  push(chunk: Uint8Array): Proposal[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const proposals: Proposal[] = []
    let from = 0
    for (;;) {
      const pathEnd = bytes.indexOf(0, from)
      // The path may hold newlines; after it, the first newline ends the record.
      const end = pathEnd < 0 ? -1 : bytes.indexOf(NEWLINE, pathEnd)
      if (end < 0) break
      this.#last = withoutWarning(bytes.subarray(from, pathEnd), this.#last)
      const proposal = record(this.#last, bytes, pathEnd, end)
      if (proposal) proposals.push(proposal)
      from = end + 1
    }
    if (bytes.length - from > MAX_RECORD_BYTES) throw new Error("ripgrep wrote an endless record")
    this.#rest = bytes.slice(from)
    this.#last = this.#last.slice()
    return proposals
  }
}

/** @param last the path before, which such a line is about */
function withoutWarning(path: Uint8Array, last: Uint8Array): Uint8Array {
  const warned = last.length > 0 && startsWith(path, last, 0) && startsWith(path, WARNING, last.length)
  return warned ? path.subarray(path.indexOf(NEWLINE, last.length + WARNING.length) + 1) : path
}

function startsWith(bytes: Uint8Array, beginning: Uint8Array, at: number): boolean {
  return bytes.length >= at + beginning.length && beginning.every((byte, index) => bytes[at + index] === byte)
}

/** @param numbers the chunk that holds them, between `pathEnd` and `end` */
function record(pathBytes: Uint8Array, numbers: Uint8Array, pathEnd: number, end: number): Proposal | null {
  const lineEnd = numbers.indexOf(COLON, pathEnd)
  const offsetEnd = numbers.indexOf(COLON, lineEnd + 1)
  const line = number(numbers, pathEnd + 1, lineEnd)
  const offset = number(numbers, lineEnd + 1, offsetEnd)
  if (lineEnd < 0 || offsetEnd < 0 || offsetEnd > end || !Number.isSafeInteger(line) || !Number.isSafeInteger(offset)) {
    throw new Error("ripgrep wrote a record of an unknown form")
  }
  const path = decodePath(pathBytes)
  return path === null ? null : { path, line, offset }
}
