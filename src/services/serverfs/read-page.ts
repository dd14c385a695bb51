/** One page of a file, with the offset cache asked before and taught after. Shared by read_text_file and the resource channel. */
import type { LaneContext } from "../../lane/pending-call.ts"
import type { ReadTextInput, ReadTextOutput } from "../../operations/read-text.ts"
import type { ReadableWorkdir } from "./workdir.ts"

export type Page = Omit<ReadTextOutput, "passed">

/** @param maxLines clamped to the configured maximum */
export async function readPage(workdir: ReadableWorkdir, path: string, from: ReadTextInput["from"], maxLines: number, context: LaneContext): Promise<Page> {
  const known = "line" in from ? workdir.offsets.nearest(path, from.line) : null
  const input = { path, from, maxLines: Math.min(maxLines, workdir.limits.maxReadLines), known }
  const { passed, ...page } = await workdir.read("readText", input, context)
  workdir.offsets.learn(path, page.revision, passed)
  return page
}
