/** Where a tree is being made that nobody sees yet: the directories from its top down to where the work stands. */
import { openEntry } from "../beneath.ts"
import { refusal } from "../errno.ts"
import { Fd } from "../fd.ts"
import { O } from "../flags.ts"
import { mkdirat, type Name, renameat2 } from "../libc.unsafe.ts"
import { HELD, openAgain, whichOf, type Which } from "./again.ts"
import { DEEP, raise } from "./raise.ts"

/** Nobody else may look in before mode and ACL are those of the source. */
const PRIVATE_DIRECTORY = 0o700

interface Level {
  /** null while closed. */
  dir: Fd | null
  /** Of a closed directory. */
  left: Which | null
  /** Of one that is filled near the top: its name there, and the one that it will have. */
  raised: { readonly as: string; readonly name: Name } | null
}

export class Site implements Disposable {
  readonly #given: string
  readonly #levels: Level[]

  /**
   * @param top the empty directory that the tree is made in; the site closes it
   * @param given the path as the caller wrote it, for errors
   */
  constructor(top: Fd, given: string) {
    this.#given = given
    this.#levels = [{ dir: top, left: null, raised: null }]
  }

  /** The directory where the work stands. */
  get dir(): Fd {
    const dir = this.#levels.at(-1)?.dir
    if (!dir) throw new Error("the directory where the work stands is always open")
    return dir
  }

  /** Makes a directory where the work stands, and steps into it. */
  enter(name: Name): void {
    const made = mkdirat(this.dir.number, name, PRIVATE_DIRECTORY)
    if (made < 0) throw refusal(made, this.#given, "changing")
    const raised = this.#raise(name)
    const [where, as] = raised === null ? [this.dir, name] : [this.#ground, raised.as]
    const number = openEntry(where, as, O.RDONLY | O.DIRECTORY, "stay")
    if (number < 0) throw refusal(number, this.#given, "changing")
    this.#levels.push({ dir: Fd.own(number), left: null, raised })
    this.#closeFar()
  }

  /** Gives the directory where the work stands its place, if it was lent another. Only then may it be closed to us by its mode. */
  settle(): void {
    const level = this.#levels.at(-1), above = this.#levels.at(-2)
    if (!level?.raised || above === undefined) return
    const { as, name } = level.raised
    const status = renameat2(this.#ground.number, as, this.#opened(above).number, name, 0)
    if (status < 0) throw refusal(status, this.#given, "changing")
    level.raised = null
  }

  /** Steps up. Throws when the tree was moved by another program meanwhile. */
  leave(): void {
    const above = this.#levels.at(-2)
    if (above !== undefined) this.#opened(above)
    this.#levels.pop()?.dir?.[Symbol.dispose]()
  }

  /** Where raised directories are. */
  get #ground(): Fd {
    const dir = this.#levels[DEEP - 1]?.dir
    if (!dir) throw new Error("the ground is held open as long as anything is below it")
    return dir
  }

  /** From the ground on down, as long as there is no gap: the way up from a raised directory is by the names of those above it. */
  #raise(name: Name): Level["raised"] {
    const level = this.#levels.at(-1)
    if (level === undefined || (level !== this.#levels[DEEP - 1] && level.raised === null)) return null
    const as = raise(this.dir, name, this.#ground)
    return as === null ? null : { as, name: typeof name === "string" ? name : new Uint8Array(name) }
  }

  #closeFar(): void {
    const index = this.#levels.length - 1 - HELD
    const far = this.#levels[index]
    if (!far?.dir || index === DEEP - 1) return
    far.left = whichOf(far.dir, this.#given, "changing")
    far.dir[Symbol.dispose]()
    far.dir = null
  }

  /** Of the level above the last. */
  #opened(level: Level): Fd {
    if (level.dir !== null) return level.dir
    if (level.left === null) throw new Error("a directory that was closed is known")
    const [from, as] = level.raised === null ? [this.dir, ".."] : [this.#ground, level.raised.as]
    return (level.dir = openAgain(from, as, level.left, this.#given, "changing"))
  }

  [Symbol.dispose](): void {
    for (const { dir } of this.#levels) dir?.[Symbol.dispose]()
    this.#levels.length = 0
  }
}
