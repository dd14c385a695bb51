/** Lines of a file that grows and is rotated, as `tail -F` gives them. */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs"
import { setTimeout } from "node:timers/promises"

const CHUNK_BYTES = 64 * 1024
const POLL_MS = 200
/** An audit line is far shorter; whatever this is, it is not kept in memory. */
const MAX_LINE_CHARS = 1024 * 1024

interface Open {
  readonly fd: number
  readonly inode: number
}

function open(path: string): Open {
  const fd = openSync(path, "r")
  return { fd, inode: fstatSync(fd).ino }
}

/** Everything from here to the end as it is now, split at newlines; the start of an unfinished line is kept for the next time. */
function reader() {
  const chunk = new Uint8Array(CHUNK_BYTES)
  let decoder = new TextDecoder()
  let rest = ""
  return {
    *read(fd: number): Generator<string> {
      for (;;) {
        const count = readSync(fd, chunk)
        if (count === 0) return
        const lines = (rest + decoder.decode(chunk.subarray(0, count), { stream: true })).split("\n")
        rest = lines.pop() ?? ""
        if (rest.length > MAX_LINE_CHARS) rest = ""
        yield* lines
      }
    },
    /** A new file begins: half a line of the old one is not the start of its first. */
    reset(): void {
      decoder = new TextDecoder()
      rest = ""
    },
  }
}

/** The file now at the path when it is another one than `current`; undefined while there is none (it is being rotated). */
function successor(path: string, current: Open): Open | undefined {
  const there = statSync(path, { throwIfNoEntry: false })
  return there && there.ino !== current.inode ? open(path) : undefined
}

export interface LinesOptions {
  /** Go on with new lines until the signal is aborted. */
  readonly follow: boolean
  readonly signal: AbortSignal
  /** Called once, when all that the file held has been given. */
  readonly caughtUp: () => void
}

/**
 * Every whole line of the file, then, when following, each new one. Of a file that comes and goes within one poll (200 ms)
 * nothing is seen.
 * @throws with the system's reason when the file can't be opened
 */
export async function* linesOf(path: string, { follow, signal, caughtUp }: LinesOptions): AsyncGenerator<string> {
  const lines = reader()
  let current = open(path)
  try {
    yield* lines.read(current.fd)
    caughtUp()
    if (!follow) return
    while (!signal.aborted) {
      const next = successor(path, current)
      // What was written between the last look and the rotation is in the old file.
      yield* lines.read(current.fd)
      if (next) {
        closeSync(current.fd)
        current = next
        lines.reset()
        continue
      }
      await setTimeout(POLL_MS, undefined, { signal }).catch(() => {})
    }
  } finally {
    closeSync(current.fd)
  }
}
