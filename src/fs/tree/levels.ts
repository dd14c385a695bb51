/** The directories of a tree, nearest level first, two descriptors at a time. No link is followed, no mount entered. */
import { fits, MAX_PATH_BYTES } from "../../workdir/relpath.ts"
import { openBeneath } from "../beneath.ts"
import { E, refusal } from "../errno.ts"
import { Fd } from "../fd.ts"
import { O } from "../flags.ts"

export interface Visited<T> {
  /** Closed when the next one is asked for. */
  readonly dir: Fd
  /** From the top, names joined by "/"; "" is the top. */
  readonly path: string
  /** 0 for the top. */
  readonly depth: number
  readonly state: T
}

/** What leaves one directory out without ending the walk: it cannot be read, was exchanged, has vanished, is a mount. */
const PASSED_OVER = new Set([E.EACCES, E.EPERM, E.ENOENT, E.ENOTDIR, E.ELOOP, E.EXDEV].map((errno) => -errno))

export class TreeLevels<T> implements Disposable {
  /** True when something was left out because its path is too long to be named in a call. */
  incomplete = false
  readonly #top: Fd
  readonly #given: string
  readonly #above: string
  #next: { readonly path: string; readonly state: T }[] = []

  /** @param top closed on disposal @param names from the root down to it @param given the path as the caller wrote it, for errors */
  constructor(top: Fd, names: readonly string[], given: string) {
    this.#top = top
    this.#given = given
    this.#above = names.map((name) => `${name}/`).join("")
  }

  /** False, and remembered, for a path, from the top on, that is too long to be asked for. */
  isAskable(path: string): boolean {
    const askable = fits(this.#above + path, MAX_PATH_BYTES)
    this.incomplete ||= !askable
    return askable
  }

  /** Has a directory visited once those of its level and above have been. */
  add(path: string, state: T): void {
    this.#next.push({ path, state })
  }

  *walk(state: T): Generator<Visited<T>, void, void> {
    yield { dir: this.#top.lend(), path: "", depth: 0, state }
    for (let depth = 1; this.#next.length > 0; depth++) {
      const level = this.#next
      this.#next = []
      for (const { path, state } of level) {
        using dir = this.#open(path)
        if (dir !== null) yield { dir, path, depth, state }
      }
    }
  }

  #open(path: string): Fd | null {
    const number = openBeneath(this.#top, path.split("/"), O.RDONLY | O.DIRECTORY, "stay")
    if (number >= 0) return Fd.own(number)
    if (PASSED_OVER.has(number)) return null
    throw refusal(number, this.#given, "reading")
  }

  [Symbol.dispose](): void {
    this.#top[Symbol.dispose]()
  }
}
