/** From an open file to the answer of read_text_file. */
import { ToolError } from "../../errors.ts"
import type { Stat } from "../../fs/stat.ts"
import { JsonText } from "../../json-text.ts"
import type { Checkpoint } from "../../workdir/offset-cache.ts"
import { decodePage } from "../../workdir/page-text.ts"
import type { Sought, Source } from "./seek-line.ts"
import { byteWindow, linePage, type Span, tailPage } from "./spans.ts"

export interface ReadTextInput {
  readonly path: string
  /** Exactly one way to say where the page begins. */
  readonly from: { readonly line: number } | { readonly byte: number } | { readonly tail: number }
  readonly maxLines: number
  /** Where a line begins, as an earlier read of this revision found out. */
  readonly known: { readonly revision: string; readonly checkpoint: Checkpoint } | null
}

export interface ReadTextOutput {
  readonly start_line: number | null
  readonly end_line: number | null
  readonly content: JsonText<string>
  readonly bytes_returned: number
  readonly has_more: boolean
  readonly next_start_line: number | null
  readonly revision: string
  readonly start_byte: number
  readonly next_start_byte: number | null
  /** For the offset cache: where lines begin that this read passed. */
  readonly passed: readonly Checkpoint[]
}

/** A NUL this early makes a file binary (contract §2, BINARY_FILE). */
const BINARY_PROBE_BYTES = 1024
const BOM = [0xef, 0xbb, 0xbf] as const
const head = new Uint8Array(BINARY_PROBE_BYTES)

/** What a page is cut out of. Throws BINARY_FILE. @param budget bytes of a page */
export function sourceOf({ stat, read }: Pick<Source, "read"> & { readonly stat: Stat }, { path, maxLines }: ReadTextInput, budget: number): Source {
  const start = head.subarray(0, read(head, 0))
  if (start.includes(0)) throw new ToolError("BINARY_FILE", { path })
  const bom = BOM.every((byte, at) => start[at] === byte) ? BOM.length : 0
  return { read, size: Number(stat.size), given: path, budget, maxLines, bom }
}

/** What an earlier read of the very same bytes found out. */
export function checkpointFor({ known }: ReadTextInput, revision: string): Checkpoint | null {
  return known?.revision === revision ? known.checkpoint : null
}

/** @param sought where the line is that was asked for, by its number */
export function pageOf(source: Source, { from }: ReadTextInput, sought: Sought | null, revision: string): ReadTextOutput {
  if ("tail" in from) return answer(source, tailPage(source, from.tail), null, revision, [])
  if ("byte" in from) return answer(source, byteWindow(source, from.byte), null, revision, [])
  if (sought === null) throw new Error("the line was not sought")
  const page = answer(source, linePage(source, sought.offset), from.line, revision, sought.passed)
  return { ...page, passed: [...sought.passed, ...edges(page)] }
}

/** Where this page and the next begin: the one may be asked for again, the other is what most callers ask for next. */
function edges({ start_line, start_byte, next_start_line, next_start_byte, bytes_returned }: ReadTextOutput): Checkpoint[] {
  if (bytes_returned === 0) return []
  const all = [{ line: start_line, offset: start_byte }, { line: next_start_line, offset: next_start_byte }]
  return all.filter((edge): edge is Checkpoint => edge.line !== null && edge.offset !== null && edge.line > 1)
}

/** @param line number of the span's first line, null when it is not known */
function answer({ size, given }: Source, span: Span, line: number | null, revision: string, passed: readonly Checkpoint[]): ReadTextOutput {
  const content = JsonText.of(decodePage(span.bytes, given))
  const end = span.start + span.length
  const hasMore = end < size
  const endLine = line === null ? null : line + span.lines - 1
  return {
    start_line: line,
    end_line: endLine,
    content,
    bytes_returned: span.bytes.length,
    has_more: hasMore,
    next_start_line: hasMore && endLine !== null ? endLine + 1 : null,
    revision,
    start_byte: span.start,
    next_start_byte: hasMore ? end : null,
    passed,
  }
}
