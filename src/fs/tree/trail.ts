/** Where a walk through a tree stands: the directories from its top down, with few descriptors however deep it is. */
import { batches, type Entry } from "../dir.ts"
import { type Doing, refusal } from "../errno.ts"
import type { Fd } from "../fd.ts"
import { SEEK } from "../flags.ts"
import { lseek } from "../libc.unsafe.ts"
import { HELD, openAgain, type Which, whichOf } from "./again.ts"

interface Level {
  /** null while closed. */
  dir: Fd | null
  source: Generator<readonly Entry[], void, void>
  batch: readonly Entry[]
  /** Entries of the batch that have been given out. */
  given: number
  /** Of a closed directory: which one it was, and where the walk goes on in it. */
  left: (Which & { readonly next: bigint }) | null
}

export class Trail implements Disposable {
  readonly #given: string
  readonly #doing: Doing
  readonly #levels: Level[] = []

  /**
   * @param top the directory that the walk starts in; the trail closes it
   * @param given the path as the caller wrote it, for errors
   */
  constructor(top: Fd, given: string, doing: Doing) {
    this.#given = given
    this.#doing = doing
    this.enter(top)
  }

  /** Directories from the top down to where the walk stands; 1 at the top. */
  get depth(): number {
    return this.#levels.length
  }

  /** The directory where the walk stands. */
  get dir(): Fd {
    const dir = this.#level.dir
    if (dir === null) throw new Error("the directory where a walk stands is always open")
    return dir
  }

  /** The next entry of the directory where the walk stands, null after its last. Valid until the next call. */
  next(): Entry | null {
    const level = this.#level
    while (level.given >= level.batch.length) {
      const more = level.source.next()
      if (more.done === true) return null
      level.batch = more.value
      level.given = 0
    }
    return level.batch[level.given++] ?? null
  }

  /** Steps down into `dir`, a directory in the one where the walk stands. The trail closes it. */
  enter(dir: Fd): void {
    this.#levels.push({ dir, source: batches(dir, this.#given, this.#doing), batch: [], given: 0, left: null })
    const far = this.#levels.at(-1 - HELD)
    if (far !== undefined) this.#close(far)
  }

  /** Steps up. Throws when the tree was moved by another program meanwhile. */
  leave(): void {
    const level = this.#levels.pop()
    using _ = level?.dir
    const above = this.#levels.at(-1)
    if (above?.dir === null && level?.dir) this.#reopen(above, level.dir)
  }

  get #level(): Level {
    const level = this.#levels.at(-1)
    if (level === undefined) throw new Error("the walk has ended")
    return level
  }

  #close(level: Level): void {
    if (level.dir === null) return
    const next = level.batch[level.given - 1]?.next ?? 0n
    level.left = { ...whichOf(level.dir, this.#given, this.#doing), next }
    level.source.return()
    level.batch = []
    level.given = 0
    level.dir[Symbol.dispose]()
    level.dir = null
  }

  #reopen(level: Level, below: Fd): void {
    if (level.left === null) throw new Error("a directory that was closed is known")
    using stack = new DisposableStack()
    const dir = stack.use(openAgain(below, "..", level.left, this.#given, this.#doing))
    const status = lseek(dir.number, level.left.next, SEEK.SET)
    if (status < 0) throw refusal(status, this.#given, this.#doing)
    stack.move()
    level.dir = dir
    level.left = null
    level.source = batches(dir, this.#given, this.#doing)
  }

  [Symbol.dispose](): void {
    for (const { dir } of this.#levels) dir?.[Symbol.dispose]()
    this.#levels.length = 0
  }
}
