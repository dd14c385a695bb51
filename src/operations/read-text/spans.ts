/** The three ways to cut a page out of a file. Each returns bytes within the budget, on whole lines or characters. */
import { ToolError } from "../../errors.ts"
import { readAt } from "../../fs/file.ts"
import type { Source } from "./seek-line.ts"

export interface Span {
  /** First byte of the page in the file. */
  readonly start: number
  /** Bytes of the file that the page covers. */
  readonly length: number
  /** Those bytes, without a BOM at the start of the file. */
  readonly bytes: Uint8Array
  /** Lines in it; parts of lines at its ends count. */
  readonly lines: number
}

const NEWLINE = 0x0a
/** Most pages fit in the first; each further read of the page is so many times as long, … */
const FIRST_READ_BYTES = 16_384
const GROWTH = 8
/** … or this much longer than its lines so far say that it has to be. */
const MARGIN = 1.25
const LONGEST_CHARACTER = 4
const BOM = [0xef, 0xbb, 0xbf] as const

/** From the start of a line: up to maxLines lines, ending before the line that would pass the budget. Throws LINE_TOO_LARGE. */
export function linePage(source: Source, start: number): Span {
  const bom = bomLength(source, start)
  const limit = Math.min(source.budget + bom, source.size - start)
  let bytes = read(source, start, Math.min(FIRST_READ_BYTES, limit))
  let cut = cutLines(bytes, source.maxLines)
  for (let length = FIRST_READ_BYTES; cut.lines < source.maxLines && length < limit; ) {
    const guess = (length * source.maxLines * MARGIN) / cut.lines
    length = Math.ceil(Math.min(length * GROWTH, Math.max(length * 2, guess)))
    bytes = read(source, start, Math.min(length, limit))
    cut = cutLines(bytes, source.maxLines)
  }
  const reachesEnd = start + bytes.length >= source.size
  // A last line without its newline is whole only at the end of the file.
  if (cut.lines < source.maxLines && reachesEnd && cut.end < bytes.length) cut = { end: bytes.length, lines: cut.lines + 1 }
  if (cut.lines === 0 && bytes.length > bom) throw new ToolError("LINE_TOO_LARGE", { path: source.given, detail: `a line is longer than ${source.budget} bytes` })
  return { start, length: cut.end, bytes: bytes.subarray(Math.min(bom, cut.end), cut.end), lines: cut.lines }
}

const INSTEAD_OF_TAIL = "page by bytes: call again with start_byte instead of tail_lines; stat_file gives the size"

/** The last `count` lines, or as many of them as the budget holds. Throws LINE_TOO_LARGE. */
export function tailPage(source: Source, count: number): Span {
  const most = Math.min(source.size, source.budget + 1 + BOM.length)
  for (let length = FIRST_READ_BYTES; ; length *= GROWTH) {
    const from = source.size - Math.min(length, most)
    const bytes = read(source, from, source.size - from)
    const { begin, lines } = lastLines(bytes, count, source.budget, bomLength(source, from))
    // What begins where the bytes do may be the rest of a longer line.
    if (length < most && (lines < count || begin === 0)) continue
    if (lines === 0 && bytes.length > 0) throw new ToolError("LINE_TOO_LARGE", { path: source.given, detail: `the last line is longer than ${source.budget} bytes`, advice: INSTEAD_OF_TAIL })
    const page = bytes.subarray(begin)
    return { start: from + begin, length: page.length, bytes: page.subarray(bomLength(source, from + begin)), lines }
  }
}

/** Where the last `max` lines begin, or as many of them as come to no more than `budget` bytes, the `bom` at the beginning not counted. */
function lastLines(bytes: Uint8Array, max: number, budget: number, bom: number): { begin: number; lines: number } {
  let begin = bytes.length
  let lines = 0
  while (lines < max && begin > 0) {
    // Past the line's own newline: the one that ends the line before it.
    const next = begin < 2 ? 0 : bytes.lastIndexOf(NEWLINE, begin - 2) + 1
    if (bytes.length - next > budget + (next === 0 ? bom : 0)) break
    begin = next
    lines++
  }
  return { begin, lines }
}

/** Whole characters from the first one that begins at or after `byte`, up to maxLines lines. */
export function byteWindow(source: Source, byte: number): Span {
  const from = Math.min(byte, source.size)
  const bytes = read(source, from, Math.min(source.budget + LONGEST_CHARACTER, source.size - from))
  const skip = from === 0 ? 0 : continuationBytes(bytes)
  const start = from + skip
  const bom = bomLength(source, start)
  const window = bytes.subarray(skip, skip + source.budget + bom)
  const reachesEnd = start + window.length >= source.size
  const cut = cutLines(window, source.maxLines)
  const end = cut.lines === source.maxLines ? cut.end : reachesEnd ? window.length : window.length - unfinished(window)
  if (end === 0 && window.length > 0) throw new ToolError("UNSUPPORTED_TEXT_ENCODING", { path: source.given })
  return { start, length: end, bytes: window.subarray(Math.min(bom, end), end), lines: cut.lines + (end > cut.end ? 1 : 0) }
}

/** Good until the next one: a page is decoded before another call has its turn. New memory for each costs more than the read (measured). */
const shared = new Uint8Array(131_072)

function read(source: Source, offset: number, length: number): Uint8Array {
  const buffer = length <= shared.length ? shared.subarray(0, Math.max(0, length)) : new Uint8Array(length)
  return buffer.subarray(0, readAt(source.fd, buffer, offset, source.given))
}

/** End of the last whole line among the first `max`, and how many those are. */
function cutLines(bytes: Uint8Array, max: number): { end: number; lines: number } {
  let end = 0
  let lines = 0
  while (lines < max) {
    const next = bytes.indexOf(NEWLINE, end)
    if (next < 0) break
    end = next + 1
    lines++
  }
  return { end, lines }
}

/** 3 when the page begins at the file's first byte and a BOM is there. */
function bomLength(source: Source, start: number): number {
  if (start !== 0 || source.size < BOM.length) return 0
  return BOM.every((byte, at) => source.head[at] === byte) ? BOM.length : 0
}

function continuationBytes(bytes: Uint8Array): number {
  let count = 0
  while (count < LONGEST_CHARACTER - 1 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++
  return count
}

/** Bytes at the end that begin a character without finishing it; 0 also when they are no UTF-8 at all. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back < LONGEST_CHARACTER && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needs > back ? back : 0
  }
  return 0
}
