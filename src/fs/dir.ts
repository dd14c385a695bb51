/** Directory entries by getdents64(2): byte-exact names, and a walk that can stop between two calls. */
import { type Doing, refusal } from "./errno.ts"
import type { Fd } from "./fd.ts"
import { getdents64 } from "./libc.unsafe.ts"
import type { EntryType } from "./stat.ts"

/** One entry. Valid as long as the batch it came in is the latest one. */
export class Entry {
  /** null when the name is not valid UTF-8: it cannot be addressed by a caller. */
  readonly name: string | null
  /** null when the filesystem does not say (DT_UNKNOWN): ask statAt. */
  readonly type: EntryType | null
  readonly #buffer: Buffer
  readonly #start: number
  readonly #end: number

  constructor(buffer: Buffer, start: number, end: number, type: EntryType | null) {
    this.name = decode(buffer, start, end)
    this.type = type
    this.#buffer = buffer
    this.#start = start
    this.#end = end
  }

  /** The name as it is on disk. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  /** Where in the directory the next entry begins, for lseek(2). */
  get next(): bigint {
    return this.#buffer.readBigInt64LE(this.#start - NAME_AT + NEXT_AT)
  }
}

const BUFFER_BYTES = 65536
/** Offsets in struct linux_dirent64, getdents(2). */
const NEXT_AT = 8, RECLEN_AT = 16, TYPE_AT = 18, NAME_AT = 19
/** DT_* of readdir(3). */
const TYPES: Readonly<Record<number, EntryType | null>> = { 0: null, 4: "directory", 8: "file", 10: "symlink" }

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const BEYOND_ASCII = /[\x80-\xff]/

/** Most names are ASCII, and reading them as Latin-1 is three times as fast as decoding (measured). */
function decode(buffer: Buffer, start: number, end: number): string | null {
  const text = buffer.toString("latin1", start, end)
  if (!BEYOND_ASCII.test(text)) return text
  try {
    return strict.decode(buffer.subarray(start, end))
  } catch {
    return null
  }
}

const DOT = 0x2e

/** Buffers to be used again: a walk through many directories would else leave 64 KiB behind for each. */
const spare: Buffer[] = []
const MAX_SPARE = 16

function isDots(buffer: Buffer, start: number, end: number): boolean {
  return buffer[start] === DOT && (end === start + 1 || (end === start + 2 && buffer[start + 1] === DOT))
}

/**
 * The entries of an open directory but `.` and `..`, in the filesystem's order, a buffer (64 KiB) at a time.
 * Each batch is complete before it is given out, so a caller may yield between two batches. Throws what `doing` says.
 */
export function* batches(dir: Fd, given: string, doing: Doing = "reading"): Generator<readonly Entry[], void, void> {
  const buffer = spare.pop() ?? Buffer.from(new ArrayBuffer(BUFFER_BYTES))
  try {
    for (;;) {
      const length = getdents64(dir.number, buffer)
      if (length < 0) throw refusal(length, given, doing)
      if (length === 0) return
      yield parse(buffer, length)
    }
  } finally {
    if (spare.length < MAX_SPARE) spare.push(buffer)
  }
}

function parse(buffer: Buffer, length: number): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at < length; at += buffer.readUInt16LE(at + RECLEN_AT)) {
    const start = at + NAME_AT
    const end = buffer.indexOf(0, start)
    if (isDots(buffer, start, end)) continue
    const type = TYPES[buffer[at + TYPE_AT] ?? 0]
    entries.push(new Entry(buffer, start, end, type === undefined ? "other" : type))
  }
  return entries
}
