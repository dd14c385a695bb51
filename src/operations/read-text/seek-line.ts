/** Finds where a line begins, from the nearest place that is known, in turns. */
import type { Fd } from "../../fs/fd.ts"
import { readAt } from "../../fs/file.ts"
import type { Checkpoint } from "../../workdir/offset-cache.ts"
import type { Call } from "../operation.ts"

export interface Source {
  readonly fd: Fd
  /** Bytes. */
  readonly size: number
  readonly given: string
  /** Bytes of one page. */
  readonly budget: number
  readonly maxLines: number
  /** The file's first bytes, a BOM's worth at least where it has them. */
  readonly head: Uint8Array
}

const CHUNK_BYTES = 262_144
/** At most this many checkpoints a file, whatever its size. */
const MAX_CHECKPOINTS = 4096
const NEWLINE = 0x0a

/**
 * The byte offset at which `line` begins; the file's size when it has fewer lines. `passed` are checkpoints on the way,
 * at least a chunk apart.
 */
export async function seekLine(source: Source, line: number, known: Checkpoint | null, call: Call): Promise<{ offset: number; passed: Checkpoint[] }> {
  const from = known !== null && known.line <= line ? known : { line: 1, offset: 0 }
  const spacing = Math.max(CHUNK_BYTES, Math.ceil(source.size / MAX_CHECKPOINTS))
  const passed: Checkpoint[] = []
  // A call's own buffer: the scan gives way to other calls of the lane between two chunks.
  const chunk = new Uint8Array(from.line === line ? 0 : Math.min(CHUNK_BYTES, source.size))
  let { line: at, offset: begin } = from
  let marked = begin
  for (let base = begin; at < line; base += chunk.length) {
    const length = readAt(source.fd, chunk, base, source.given)
    if (length === 0) return { offset: source.size, passed }
    const bytes = chunk.subarray(0, length)
    for (let next = bytes.indexOf(NEWLINE); next >= 0 && at < line; next = bytes.indexOf(NEWLINE, next + 1)) {
      at++
      begin = base + next + 1
      if (begin - marked < spacing) continue
      marked = begin
      passed.push({ line: at, offset: begin })
    }
    await call.breathe()
  }
  return { offset: begin, passed }
}
