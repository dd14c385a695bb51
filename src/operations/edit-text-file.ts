/** edit_text_file: exact replacements in a text file, all or nothing. The order of the checks is the contract's (§5). */
import { ToolError } from "../errors.ts"
import { fstat, type OpenFile, openRegular, readAt } from "../fs/file.ts"
import { replaceFile } from "../fs/publish/replace.ts"
import { afterwards } from "../fs/publish/settle.ts"
import type { Stat } from "../fs/stat.ts"
import { removeTwins, twinsOf } from "../fs/twin.ts"
import { assertWritable } from "../fs/writable.ts"
import { applyEdits, type Edit } from "../workdir/edits.ts"
import { previewEdits } from "../workdir/preview.ts"
import { revisionOf } from "../workdir/revision.ts"
import { assertSize, assertText } from "../workdir/text.ts"
import { assertExpected, atEntry, type Guarded } from "./mutation.ts"
import type { Operation } from "./operation.ts"

export interface EditTextFileInput extends Guarded {
  /** Well-formed, within the limits: checked before the lock is asked for. */
  readonly edits: readonly Edit[]
  /** Says what would change, and changes nothing. */
  readonly dryRun: boolean
}

export interface EditTextFileOutput {
  readonly path: string
  /** False for a dry run. */
  readonly edited: boolean
  readonly bytes_before: number
  readonly bytes_after: number
  readonly revision: string
  /** Of a dry run; "" when nothing would change. */
  readonly diff: string | null
}

export const editTextFile: Operation<EditTextFileInput, EditTextFileOutput> = (directory, input, call) =>
  atEntry(directory, input, call, "PATH_NOT_FOUND", (entry, at, log) => {
    const limit = directory.settings.limits.maxWriteBytes
    using file = openRegular(entry, at.given, "changing")
    assertWritable(entry, at.given)
    assertExpected(file.stat, input.expectedRevision, at)
    const twins = twinsOf(entry, file, at.given)
    if (file.stat.nlink > 1 + twins.length) throw new ToolError("MULTIPLE_HARDLINKS_NOT_SUPPORTED", { path: at.given })
    const stat = input.dryRun ? file.stat : removeTwins(entry, file, twins, at.given)
    const source = readWhole(file, stat, limit, at.given)
    assertText(source, at.given)
    if (input.dryRun) {
      const { result, diff } = previewEdits(source, input.edits, limit, at.given)
      return { path: at.text, edited: false, bytes_before: source.length, bytes_after: result.length, revision: input.expectedRevision, diff }
    }
    const result = applyEdits(source, input.edits, limit, at.given)
    const published = afterwards(replaceFile(entry, { fd: file.fd, stat }, result, at.given, log), at.given)
    return { path: at.text, edited: true, bytes_before: source.length, bytes_after: result.length, revision: revisionOf(published), diff: null }
  })

/** Throws WRITE_TOO_LARGE or FILE_CHANGED_DURING_READ. @param limit bytes */
function readWhole({ fd }: OpenFile, stat: Stat, limit: number, given: string): Buffer {
  const size = Number(stat.size)
  assertSize(size, limit, "the file", given, "a file of this size can be read, not edited")
  const bytes = Buffer.alloc(size)
  const length = readAt(fd, bytes, 0, given, "changing")
  const after = fstat(fd, given, "changing")
  if (length < size || revisionOf(after) !== revisionOf(stat)) throw new ToolError("FILE_CHANGED_DURING_READ", { path: given })
  return bytes
}
