/** EDIT_CONFLICT that helps: counts, line numbers and kinds of difference; never a byte of the file (contract §2, §5). */
import { ToolError } from "../errors.ts"
import type { Which } from "./edits.ts"
import { nearest } from "./nearest-line.ts"

const SHOWN_LINES = 10
const NEWLINE = 0x0a

const READ_AGAIN = "read the file again with read_text_file and copy old_text from it exactly"

/** old_text is empty, and the file is not, or the count is not 1. */
export function misplacedEmpty(which: Which): ToolError {
  return conflict(which, "an empty old_text fits only a completely empty file, with expected_count 1", "give the text to replace")
}

/** old_text is there, but not as often as expected. @param starts byte offsets in `text`, ascending, at least one */
export function miscounted(text: Uint8Array, starts: readonly number[], expected: number, which: Which): ToolError {
  const lines = [...new Set(linesOf(text, starts))]
  const around = lines.length === 1 ? "text" : "lines"
  const advice = starts.length > expected ? `add ${around} around it to old_text, or set expected_count` : "set expected_count to what is there, or read the file again"
  return conflict(which, `old_text was found ${where(starts.length, lines)}, and expected_count is ${expected}`, advice)
}

function where(times: number, lines: readonly number[]): string {
  if (times === 1) return `once, at line ${lines[0]}`
  if (lines.length === 1) return `${times} times, all in line ${lines[0]}`
  const more = lines.length > SHOWN_LINES ? ` and ${lines.length - SHOWN_LINES} more` : ""
  return `${times} times, at lines ${lines.slice(0, SHOWN_LINES).join(", ")}${more}`
}

/** old_text is not there at all. @param text well-formed UTF-8 */
export function absent(text: Buffer, oldText: string, which: Which): ToolError {
  const found = nearest(text.toString(), oldText)
  if (found === null) return conflict(which, "old_text was not found, nor anything like it", READ_AGAIN)
  const kinds = found.kinds.length === 0 ? "in its text" : `only in: ${found.kinds.join("; ")}`
  return conflict(which, `old_text was not found; line ${found.line} is nearest and differs ${kinds}`, READ_AGAIN)
}

function conflict({ given, index, of }: Which, detail: string, advice: string): ToolError {
  const numbered = of === 1 ? "" : `edit ${index + 1} of ${of}: `
  const counted = index === 0 ? "" : " (lines are counted after the edits before it)"
  return new ToolError("EDIT_CONFLICT", { path: given, detail: `${numbered}${detail}${counted}`, advice })
}

/** Line numbers, from 1, of ascending byte offsets. */
function linesOf(text: Uint8Array, offsets: readonly number[]): number[] {
  let line = 1, at = 0
  return offsets.map((offset) => {
    for (; at < offset; at++) if (text[at] === NEWLINE) line++
    return line
  })
}
