/** The text of one match, read from the file itself: the line, whether it may be shown, and the lines around it. */
import { cutCodePoints } from "../../workdir/cut.ts"
import type { LineFile } from "./line-file.ts"
import type { Needle } from "./needle.ts"

export interface MatchText {
  readonly text: string
  readonly before: string[]
  readonly after: string[]
  readonly text_truncated: boolean
}

/** Code points of a line that are returned (contract §5). */
const MAX_CODE_POINTS = 2000
/** Bytes that surely hold one code point more than that, a BOM included. */
const HEAD_BYTES = 4 * (MAX_CODE_POINTS + 1) + 3
const BOM = "\ufeff"

/** null when no line begins at `offset`, when it is no text, or when the needle is not in it any more. */
export async function readMatch(file: LineFile, offset: number, contextLines: number, needle: Needle): Promise<MatchText | null> {
  if (!file.isLineStart(offset)) return null
  const head = await readLine(file, offset, needle)
  if (head === null || !needle.found) return null
  const { text, cut } = cutCodePoints(head, MAX_CODE_POINTS)
  const before = await linesBefore(file, offset, contextLines)
  const after = await linesAfter(file, offset, contextLines)
  return { text, before, after, text_truncated: cut }
}

/** The first part of the line, once all of it has been seen to be UTF-8 without a NUL; otherwise null. */
async function readLine(file: LineFile, start: number, needle: Needle): Promise<string | null> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  let head = ""
  let first = true
  const add = (piece: string): boolean => {
    const text = first ? withoutBom(piece, start) : piece
    first = false
    needle.add(text)
    if (head.length < HEAD_BYTES) head += text.slice(0, HEAD_BYTES)
    return !text.includes("\0")
  }
  try {
    for await (const piece of file.pieces(start)) if (!add(decoder.decode(piece, { stream: true }))) return null
    return add(decoder.decode()) ? head : null
  } catch (error) {
    // What a fatal decoder throws; everything else is not about the text.
    if (error instanceof TypeError) return null
    throw error
  }
}

async function linesBefore(file: LineFile, start: number, count: number): Promise<string[]> {
  const lines: string[] = []
  for (let at = start; at > 0 && lines.length < count; ) {
    at = await file.previousStart(at)
    lines.unshift(contextLine(file, at))
  }
  return lines
}

async function linesAfter(file: LineFile, start: number, count: number): Promise<string[]> {
  const lines: string[] = []
  for (let at: number | null = start; at !== null && lines.length < count; ) {
    at = await file.nextStart(at)
    if (at !== null) lines.push(contextLine(file, at))
  }
  return lines
}

/** A neighbour that is not UTF-8 keeps its place, with replacement characters. */
function contextLine(file: LineFile, start: number): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.head(start, HEAD_BYTES), { stream: true })
  return cutCodePoints(withoutBom(text, start), MAX_CODE_POINTS).text
}

function withoutBom(text: string, start: number): string {
  return start === 0 && text.startsWith(BOM) ? text.slice(1) : text
}
