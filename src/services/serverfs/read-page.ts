/** One page of a file, with the offset cache asked before and taught after. Shared by read_text_file and the resource channel. */
import type { LaneContext } from "../../lane/pending-call.ts"
import type { ReadTextInput, ReadTextOutput } from "../../operations/read-text.ts"
import { edgesOf, lineNumbers } from "../../workdir/page-lines.ts"
import type { ReadableWorkdir } from "./workdir.ts"

export type Page = Omit<ReadTextOutput, "passed" | "end">

/** @param maxLines clamped to the configured maximum */
export async function readPage(workdir: ReadableWorkdir, path: string, from: ReadTextInput["from"], maxLines: number, context: LaneContext): Promise<Page> {
  const { offsets } = workdir
  const known = "line" in from ? offsets.nearest(path, from.line) : null
  const input = { path, from, maxLines: Math.min(maxLines, workdir.limits.maxReadLines), known }
  const { passed, end, ...page } = await workdir.read("readText", input, context)
  const numbers = page.start_line === null ? lineNumbers(offsets.lineAt(path, page.revision, page.start_byte), end) : page
  offsets.learn(path, page.revision, [...passed, ...(page.bytes_returned === 0 ? [] : edgesOf(numbers, page))])
  const { start_line, end_line, next_start_line } = numbers
  return { ...page, start_line, end_line, next_start_line }
}
