/** Where lines begin in large files, so that page k does not cost a scan of everything before it each time. Bounded, keyed by revision. */

export interface Checkpoint {
  readonly line: number
  readonly offset: number
}

interface Known {
  readonly revision: string
  /** Ascending. */
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
    const checkpoint = known.checkpoints[after(known.checkpoints, line) - 1]
    return checkpoint === undefined ? null : { revision: known.revision, checkpoint }
  }

  /** Adds what a read passed. Another revision replaces what was known of the file. */
  learn(path: string, revision: string, passed: readonly Checkpoint[]): void {
    if (passed.length === 0) return
    const known = this.#ofRevision(path, revision)
    for (const checkpoint of passed) {
      if (known.checkpoints.length >= MAX_CHECKPOINTS) break
      const at = after(known.checkpoints, checkpoint.line)
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

/** How many of the checkpoints lie at or before `line`. */
function after(checkpoints: readonly Checkpoint[], line: number): number {
  let low = 0, high = checkpoints.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((checkpoints[middle]?.line ?? 0) <= line) low = middle + 1
    else high = middle
  }
  return low
}
