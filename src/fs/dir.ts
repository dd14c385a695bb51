/** Directory entries by getdents64(2): byte-exact names, and a walk that can stop between two calls. */
import { type Doing, refusal } from "./errno.ts"
import type { Fd } from "./fd.ts"
import { getdents64 } from "./libc.unsafe.ts"
import type { EntryType } from "./stat.ts"

export interface Entry {
  /** null when the name is not valid UTF-8: it cannot be addressed by a caller. */
  readonly name: string | null
  /** The name as it is on disk. */
  readonly bytes: Uint8Array
  /** null when the filesystem does not say (DT_UNKNOWN): ask statAt. */
  readonly type: EntryType | null
}

const BUFFER_BYTES = 65536
/** Offsets in struct linux_dirent64, getdents(2). */
const RECLEN_AT = 16, TYPE_AT = 18, NAME_AT = 19
/** DT_* of readdir(3). */
const TYPES: Readonly<Record<number, EntryType | null>> = { 0: null, 4: "directory", 8: "file", 10: "symlink" }

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Short ASCII names are most names, and a loop over them beats the decoder's call. */
function decode(bytes: Uint8Array): string | null {
  let text = ""
  for (const byte of bytes) {
    if (byte >= 0x80) return decodeStrictly(bytes)
    text += String.fromCharCode(byte)
  }
  return text
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

function isDots(bytes: Uint8Array): boolean {
  return bytes[0] === 0x2e && (bytes.length === 1 || (bytes.length === 2 && bytes[1] === 0x2e))
}

/**
 * The entries of an open directory but `.` and `..`, in the filesystem's order, a buffer (64 KiB) at a time.
 * Each batch is complete before it is given out, so a caller may yield between two batches. Throws what `doing` says.
 * `bytes` of an entry are valid as long as the batch is the latest one.
 */
export function* batches(dir: Fd, given: string, doing: Doing = "reading"): Generator<readonly Entry[], void, void> {
  const buffer = new Uint8Array(new ArrayBuffer(BUFFER_BYTES))
  const view = new DataView(buffer.buffer)
  for (;;) {
    const length = getdents64(dir.number, buffer)
    if (length < 0) throw refusal(length, given, doing)
    if (length === 0) return
    const entries: Entry[] = []
    for (let at = 0; at < length; at += view.getUint16(at + RECLEN_AT, true)) {
      const end = buffer.indexOf(0, at + NAME_AT)
      const bytes = buffer.subarray(at + NAME_AT, end)
      if (isDots(bytes)) continue
      const type = TYPES[view.getUint8(at + TYPE_AT)]
      entries.push({ name: decode(bytes), bytes, type: type === undefined ? "other" : type })
    }
    yield entries
  }
}
