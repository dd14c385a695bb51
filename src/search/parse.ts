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
      const proposal = record(bytes, from, pathEnd, end)
      if (proposal) proposals.push(proposal)
      from = end + 1
    }
    if (bytes.length - from > MAX_RECORD_BYTES) throw new Error("ripgrep wrote an endless record")
    this.#rest = bytes.slice(from)
    return proposals
  }
}

function record(bytes: Uint8Array, from: number, pathEnd: number, end: number): Proposal | null {
  const lineEnd = bytes.indexOf(COLON, pathEnd)
  const offsetEnd = bytes.indexOf(COLON, lineEnd + 1)
  const line = number(bytes, pathEnd + 1, lineEnd)
  const offset = number(bytes, lineEnd + 1, offsetEnd)
  if (lineEnd < 0 || offsetEnd < 0 || offsetEnd > end || !Number.isSafeInteger(line) || !Number.isSafeInteger(offset)) {
    throw new Error("ripgrep wrote a record of an unknown form")
  }
  const path = decodePath(bytes.subarray(from, pathEnd))
  return path === null ? null : { path, line, offset }
}
