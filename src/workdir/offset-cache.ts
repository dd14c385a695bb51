/** Where lines begin in large files, so that page k does not cost a scan of everything before it each time. Bounded, keyed by revision. */

export interface Checkpoint {
  readonly line: number
  readonly offset: number
}

interface Known {
  readonly revision: string
  /** Ascending, by line and so by offset. */
  readonly checkpoints: Checkpoint[]
}

const MAX_FILES = 256
/** Of one file; a way through it gives at most 4,096, and each page that is read two more. */
const MAX_CHECKPOINTS = 8192
/** Of all files: some 5 MB. */
const MAX_IN_ALL = 65_536

export class OffsetCache {
  /** In order of use: the first is the one to go. */
  readonly #files = new Map<string, Known>()
  #inAll = 0

  /** The nearest known start of a line at or before `line`, for whichever revision was seen last. */
  nearest(path: string, line: number): { revision: string; checkpoint: Checkpoint } | null {
    const known = this.#files.get(path)
    if (known === undefined) return null
    this.#touch(path, known)
    const checkpoint = known.checkpoints[upTo(known.checkpoints, (each) => each.line <= line) - 1]
    return checkpoint === undefined ? null : { revision: known.revision, checkpoint }
  }

  /** The number of the line that begins at `offset`; null when that is not known. */
  lineAt(path: string, revision: string, offset: number): number | null {
    if (offset === 0) return 1
    const known = this.#files.get(path)
    if (known?.revision !== revision) return null
    const { checkpoints } = known
    const checkpoint = checkpoints[upTo(checkpoints, ({ offset: each }) => each <= offset) - 1]
    return checkpoint?.offset === offset ? checkpoint.line : null
  }

  /** Adds what a read passed. Another revision replaces what was known of the file. */
  learn(path: string, revision: string, passed: readonly Checkpoint[]): void {
    if (passed.length === 0) return
    const known = this.#ofRevision(path, revision)
    for (const checkpoint of passed) {
      if (known.checkpoints.length >= MAX_CHECKPOINTS) break
      const at = upTo(known.checkpoints, ({ line }) => line <= checkpoint.line)
      if (known.checkpoints[at - 1]?.line === checkpoint.line) continue
      known.checkpoints.splice(at, 0, checkpoint)
      this.#inAll++
    }
    this.#touch(path, known)
    for (const [oldest] of this.#files) {
      if (this.#files.size <= MAX_FILES && this.#inAll <= MAX_IN_ALL) break
      this.#forget(oldest)
    }
  }

  #ofRevision(path: string, revision: string): Known {
    const before = this.#files.get(path)
    if (before?.revision === revision) return before
    this.#forget(path)
    return { revision, checkpoints: [] }
  }

  #forget(path: string): void {
    this.#inAll -= this.#files.get(path)?.checkpoints.length ?? 0
    this.#files.delete(path)
  }

  #touch(path: string, known: Known): void {
    this.#files.delete(path)
    this.#files.set(path, known)
  }
}

/** How many of the checkpoints, from the first on, lie no later than where `isBefore` is true. */
function upTo(checkpoints: readonly Checkpoint[], isBefore: (checkpoint: Checkpoint) => boolean): number {
  let low = 0, high = checkpoints.length
  while (low < high) {
    const middle = (low + high) >> 1
    const checkpoint = checkpoints[middle]
    if (checkpoint !== undefined && isBefore(checkpoint)) low = middle + 1
    else high = middle
  }
  return low
}
