/** read_text_file: one page of a text file, by line, by byte, or from the end; memory bounded by the page. */
import { ToolError } from "../errors.ts"
import { fstat, type OpenFile, openRegular, readAt, warm } from "../fs/file.ts"
import type { DirEntry } from "../fs/root.ts"
import type { Admitted } from "../workdir/policy.ts"
import { parsePath } from "../workdir/relpath.ts"
import { revisionOf } from "../workdir/revision.ts"
import type { Call, Directory, Operation } from "./operation.ts"
import { checkpointFor, pageOf, type ReadTextInput, type ReadTextOutput, sourceOf } from "./read-text/page.ts"
import { knownLine, seekLine } from "./read-text/seek-line.ts"

/** The seed answers FILE_CHANGED_DURING_READ at the first; each try is judged alone, so versions are never mixed. */
const TRIES = 2

export const readText: Operation<ReadTextInput, ReadTextOutput> = async (directory, input, call) => {
  const at = directory.policy.admit(parsePath(input.path))
  if (at.isRoot) throw new ToolError("NOT_A_FILE", { path: at.given })
  for (let tries = 0; tries < TRIES; tries++) {
    using entry = directory.root.entry(at)
    using file = open(directory, entry, at)
    const page = await readPage(file, input, directory.settings.limits.maxReadBytes, call)
    if (revisionOf(fstat(file.fd, at.given)) !== page.revision) continue
    warm(file)
    return page
  }
  throw new ToolError("FILE_CHANGED_DURING_READ", { path: at.given })
}

/** Throws WORKDIR_UNAVAILABLE in place of PATH_NOT_FOUND when the whole directory has gone. */
function open(directory: Directory, entry: DirEntry, at: Admitted): OpenFile {
  try {
    return openRegular(entry, at.given)
  } catch (error) {
    if (error instanceof ToolError && error.code === "PATH_NOT_FOUND") directory.root.assertAlive()
    throw error
  }
}

async function readPage({ fd, stat }: OpenFile, input: ReadTextInput, budget: number, call: Call): Promise<ReadTextOutput> {
  const { path, from } = input
  const revision = revisionOf(stat)
  const source = sourceOf({ stat, read: (into, offset) => readAt(fd, into, offset, path) }, input, budget)
  if (!("line" in from)) return pageOf(source, input, null, revision)
  const known = checkpointFor(input, revision)
  const sought = knownLine(from.line, known) ?? (await seekLine(source, from.line, known, call))
  return pageOf(source, input, sought, revision)
}
