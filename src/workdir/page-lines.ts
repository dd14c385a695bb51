/** Which lines a page holds, once the number of its first is known. */
import type { Checkpoint } from "./offset-cache.ts"

export interface PageEnd {
  /** Lines in the page, parts of lines at its ends included. */
  readonly lines: number
  /** It ends where a line does. */
  readonly endsLine: boolean
  readonly has_more: boolean
}

export interface LineNumbers {
  readonly start_line: number | null
  /** `start_line` − 1 for an empty page. */
  readonly end_line: number | null
  /** null at the end, and where the next page begins within a line. */
  readonly next_start_line: number | null
}

/** @param first number of the line that begins where the page does; null when it is not known */
export function lineNumbers(first: number | null, { lines, endsLine, has_more }: PageEnd): LineNumbers {
  if (first === null) return { start_line: null, end_line: null, next_start_line: null }
  const end = first + lines - 1
  return { start_line: first, end_line: end, next_start_line: has_more && endsLine ? end + 1 : null }
}

/** Where this page and the next begin: the one may be asked for again, the other is what most callers ask for next. */
export function edgesOf({ start_line, next_start_line }: LineNumbers, { start_byte, next_start_byte }: { readonly start_byte: number; readonly next_start_byte: number | null }): Checkpoint[] {
  const edges = [{ line: start_line, offset: start_byte }, { line: next_start_line, offset: next_start_byte }]
  return edges.filter((edge): edge is Checkpoint => edge.line !== null && edge.offset !== null && edge.line > 1)
}
