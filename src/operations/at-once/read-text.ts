/** read_text_file, of what is in memory: a page of moderate size whose place is known. */
import { WouldWait } from "../../fs/resident.ts"
import { parsePath } from "../../workdir/relpath.ts"
import { revisionOf } from "../../workdir/revision.ts"
import { checkpointFor, pageOf, type ReadTextInput, type ReadTextOutput, sourceOf } from "../read-text/page.ts"
import { knownLine } from "../read-text/seek-line.ts"
import { type AtOnce, MAX_READ_BYTES } from "./at-once.ts"

export const readTextAtOnce: AtOnce<ReadTextInput, ReadTextOutput> = ({ resident, policy, settings }, input) => {
  const at = policy.admit(parsePath(input.path))
  using file = resident.open(at)
  const read = (into: Uint8Array, offset: number): number => {
    if (into.length > MAX_READ_BYTES) throw new WouldWait()
    return file.read(into, offset)
  }
  const revision = revisionOf(file.stat)
  const source = sourceOf({ stat: file.stat, read }, input, settings.limits.maxReadBytes)
  const sought = "line" in input.from ? knownLine(input.from.line, checkpointFor(input, revision)) : null
  if ("line" in input.from && sought === null) throw new WouldWait()
  const page = pageOf(source, input, sought, revision)
  if (revisionOf(file.again()) !== revision) throw new WouldWait()
  return page
}
