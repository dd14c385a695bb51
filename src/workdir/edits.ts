/** The edits of one call, applied to a file's bytes: literal, left to right, all or nothing (contract §5, edit_text_file). */
import { ToolError } from "../errors.ts"
import { absent, misplacedEmpty, miscounted } from "./conflict.ts"
import { occurrences } from "./occurrences.ts"
import { assertSize, assertWritable, bomLength } from "./text.ts"

/** As the caller sends it. */
export interface Edit {
  readonly old_text: string
  readonly new_text: string
  readonly expected_count: number
}

/** What one edit did to the working text: at each of `starts`, `removed` bytes gave way to `added` bytes. */
export interface Replacement {
  readonly starts: readonly number[]
  readonly removed: number
  readonly added: number
}

export interface EditLimits {
  /** Bytes. */
  readonly maxWriteBytes: number
  readonly maxEditsPerCall: number
}

/** What can be said of the edits before the file is looked at. Throws TOO_MANY_EDITS, BINARY_CONTENT_NOT_ALLOWED or WRITE_TOO_LARGE. */
export function assertEdits(edits: readonly Edit[], limits: EditLimits, given: string): void {
  const { maxEditsPerCall, maxWriteBytes } = limits
  if (edits.length > maxEditsPerCall) {
    throw new ToolError("TOO_MANY_EDITS", { path: given, detail: `${edits.length} edits in one call, and the limit is ${maxEditsPerCall}` })
  }
  let sum = 0
  for (const [index, { old_text, new_text }] of edits.entries()) {
    assertWritable(old_text, `old_text of edit ${index + 1}`, given)
    assertWritable(new_text, `new_text of edit ${index + 1}`, given)
    sum += Buffer.byteLength(old_text) + Buffer.byteLength(new_text)
  }
  assertSize(sum, maxWriteBytes, "the sum of all old_text and new_text", given, "make the edits smaller, or split them over several calls")
}

/**
 * Applies the edits, each to the result of the one before. A BOM is hidden from them and put back.
 * Throws EDIT_CONFLICT, TOO_MANY_EDITS for more places than one call may change, then WRITE_TOO_LARGE for the result.
 * @param source well-formed UTF-8
 * @param limit bytes of the result
 * @param replaced told of each edit once it is applied; offsets are those of the text without a BOM
 */
export function applyEdits(source: Uint8Array, edits: readonly Edit[], limit: number, given: string, replaced?: (replacement: Replacement) => void): Buffer {
  const bom = bomLength(source)
  let text = Buffer.from(source.buffer, source.byteOffset + bom, source.byteLength - bom)
  let places = 0
  for (const [index, edit] of edits.entries()) {
    const added = Buffer.from(edit.new_text)
    const replacement = locate(text, edit, added.length, { given, index, of: edits.length })
    places += replacement.starts.length
    assertPlaces(places, limit, index, given)
    const grown = text.length + replacement.starts.length * (added.length - replacement.removed)
    assertOnTheWay(grown, limit, index, given)
    text = splice(text, replacement, added, grown)
    replaced?.(replacement)
  }
  assertSize(bom + text.length, limit, "the result", given)
  return bom === 0 ? text : Buffer.concat([source.subarray(0, bom), text])
}

/** Throws TOO_MANY_EDITS. One edit of every byte passes; fifty of them held the lock, and so everybody's changes, for 14 s (measured). */
function assertPlaces(places: number, limit: number, index: number, given: string): void {
  if (places > limit) throw new ToolError("TOO_MANY_EDITS", { path: given, detail: `the edits up to number ${index + 1} change ${places} places, and the limit of one call is ${limit}` })
}

/**
 * Throws WRITE_TOO_LARGE. Single replacements stay within twice the limit, since the source and the summed edits are each within it once. Only a mass
 * replacement can pass it, and it must not take memory for what a later edit might cut down again.
 */
function assertOnTheWay(bytes: number, limit: number, index: number, given: string): void {
  if (bytes <= 2 * limit) return
  const detail = `edit ${index + 1} would make the text ${bytes} bytes long, and between edits it may have at most twice the write limit of ${limit}`
  throw new ToolError("WRITE_TOO_LARGE", { path: given, detail, advice: "make the edits in another order, or split them over several calls" })
}

/** Which edit of a call it is, for messages. */
export interface Which {
  readonly given: string
  /** From 0. */
  readonly index: number
  readonly of: number
}

function locate(text: Buffer, edit: Edit, added: number, which: Which): Replacement {
  const needle = Buffer.from(edit.old_text)
  if (needle.length === 0) {
    if (text.length > 0 || edit.expected_count !== 1) throw misplacedEmpty(which)
    return { starts: [0], removed: 0, added }
  }
  const starts = occurrences(text, needle)
  if (starts.length === 0) throw absent(text, edit.old_text, which)
  if (starts.length !== edit.expected_count) throw miscounted(text, starts, edit.expected_count, which)
  return { starts, removed: needle.length, added }
}

function splice(text: Buffer, { starts, removed }: Replacement, added: Buffer, size: number): Buffer {
  const out = Buffer.alloc(size)
  let from = 0, to = 0
  for (const start of starts) {
    to += text.copy(out, to, from, start)
    to += added.copy(out, to)
    from = start + removed
  }
  text.copy(out, to, from)
  return out
}
