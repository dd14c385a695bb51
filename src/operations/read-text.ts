/** read_text_file: one page of a text file, by line, by byte, or from the end; memory bounded by the page. */
import { ToolError } from "../errors.ts"
import type { Fd } from "../fs/fd.ts"
import { fstat, type OpenFile, openRegular, readAt } from "../fs/file.ts"
import type { DirEntry } from "../fs/root.ts"
import type { Stat } from "../fs/stat.ts"
import { JsonText } from "../json-text.ts"
import type { Checkpoint } from "../workdir/offset-cache.ts"
import { type LineNumbers, lineNumbers, type PageEnd } from "../workdir/page-lines.ts"
import { decodePage } from "../workdir/page-text.ts"
import type { Admitted } from "../workdir/policy.ts"
import { parsePath } from "../workdir/relpath.ts"
import { revisionOf } from "../workdir/revision.ts"
import type { Call, Directory, Operation } from "./operation.ts"
import { seekLine } from "./read-text/seek-line.ts"
import { byteWindow, linePage, type Span, tailPage } from "./read-text/spans.ts"

export interface ReadTextInput {
  readonly path: string
  /** Exactly one way to say where the page begins. */
  readonly from: { readonly line: number } | { readonly byte: number } | { readonly tail: number }
  readonly maxLines: number
  /** Where a line begins, as an earlier read of this revision found out. */
  readonly known: { readonly revision: string; readonly checkpoint: Checkpoint } | null
}

export interface ReadTextOutput extends LineNumbers {
  readonly content: JsonText<string>
  readonly bytes_returned: number
  readonly has_more: boolean
  readonly revision: string
  readonly start_byte: number
  readonly next_start_byte: number | null
  /** For the offset cache: where lines begin that this read passed on its way to the page. */
  readonly passed: readonly Checkpoint[]
  /** For whoever knows the number of the first line when the lane does not. */
  readonly end: PageEnd
}

/** A NUL this early makes a file binary (contract §2, BINARY_FILE). */
const BINARY_PROBE_BYTES = 1024
/** The seed answers FILE_CHANGED_DURING_READ at the first; each try is judged alone, so versions are never mixed. */
const TRIES = 2
const NEWLINE = 0x0a

export const readText: Operation<ReadTextInput, ReadTextOutput> = async (directory, input, call) => {
  const at = directory.policy.admit(parsePath(input.path))
  if (at.isRoot) throw new ToolError("NOT_A_FILE", { path: at.given })
  for (let tries = 0; tries < TRIES; tries++) {
    using entry = directory.root.entry(at)
    using file = open(directory, entry, at)
    const page = await readPage(file.fd, file.stat, input, directory.settings.limits.maxReadBytes, call)
    if (revisionOf(fstat(file.fd, at.given)) === page.revision) return page
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

async function readPage(fd: Fd, stat: Stat, input: ReadTextInput, budget: number, call: Call): Promise<ReadTextOutput> {
  const size = Number(stat.size)
  const revision = revisionOf(stat)
  const source = { fd, size, given: input.path, budget, maxLines: input.maxLines, head: readHead(fd, input.path) }
  if ("tail" in input.from) return finish(tailPage(source, input.from.tail), null, size, revision, [], input.path)
  if ("byte" in input.from) return finish(byteWindow(source, input.from.byte), null, size, revision, [], input.path)
  const line = input.from.line
  const known = input.known?.revision === revision ? input.known.checkpoint : null
  const { offset, passed } = await seekLine(source, line, known, call)
  return finish(linePage(source, offset), line, size, revision, passed, input.path)
}

/** Throws BINARY_FILE. */
function readHead(fd: Fd, given: string): Uint8Array {
  const buffer = new Uint8Array(BINARY_PROBE_BYTES)
  const head = buffer.subarray(0, readAt(fd, buffer, 0, given))
  if (head.includes(0)) throw new ToolError("BINARY_FILE", { path: given })
  return head
}

/** @param line number of the span's first line, null when it is not known */
function finish(span: Span, line: number | null, size: number, revision: string, passed: readonly Checkpoint[], given: string): ReadTextOutput {
  const content = JsonText.of(decodePage(span.bytes, given))
  const next = span.start + span.length
  const end = { lines: span.lines, endsLine: span.bytes.at(-1) === NEWLINE, has_more: next < size }
  const { start_line, end_line, next_start_line } = lineNumbers(line, end)
  return {
    start_line,
    end_line,
    content,
    bytes_returned: span.bytes.length,
    has_more: end.has_more,
    next_start_line,
    revision,
    start_byte: span.start,
    next_start_byte: end.has_more ? next : null,
    passed,
    end,
  }
}
