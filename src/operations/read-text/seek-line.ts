/** Finds where a line begins, from the nearest place that is known, in turns. */
import type { Checkpoint } from "../../workdir/offset-cache.ts"
import type { Call } from "../operation.ts"

export interface Source {
  /** Fills `into` from byte `offset` on, as far as the file goes, and returns how far. */
  readonly read: (into: Uint8Array, offset: number) => number
  /** Bytes. */
  readonly size: number
  readonly given: string
  /** Bytes of one page. */
  readonly budget: number
  readonly maxLines: number
  /** Length of the BOM that the file begins with; 0 = none. */
  readonly bom: number
}

const CHUNK_BYTES = 262_144
/** At most this many checkpoints a file, whatever its size. */
const MAX_CHECKPOINTS = 4096
const NEWLINE = 0x0a

export interface Sought {
  /** Of the line's first byte; the file's size when it has fewer lines. */
  readonly offset: number
  /** Checkpoints on the way, at least a chunk apart. */
  readonly passed: readonly Checkpoint[]
}

/** Where a line begins, when that is known already. */
export function knownLine(line: number, known: Checkpoint | null): Sought | null {
  if (line === 1) return { offset: 0, passed: [] }
  return known?.line === line ? { offset: known.offset, passed: [] } : null
}

/** Reads on to where `line` begins. */
export async function seekLine(source: Source, line: number, known: Checkpoint | null, call: Call): Promise<Sought> {
  const from = known !== null && known.line <= line ? known : { line: 1, offset: 0 }
  const spacing = Math.max(CHUNK_BYTES, Math.ceil(source.size / MAX_CHECKPOINTS))
  const passed: Checkpoint[] = []
  // A call's own buffer: the scan gives way to other calls of the lane between two chunks.
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, source.size))
  let { line: at, offset: begin } = from
  let marked = begin
  for (let base = begin; at < line; base += chunk.length) {
    const length = source.read(chunk, base)
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
