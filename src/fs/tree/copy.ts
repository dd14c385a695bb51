/** Copies what is below one directory into another that nobody sees yet. Links are copied as links, no mount is entered. */
import { type ErrorCode, ToolError } from "../../errors.ts"
import { openEntry } from "../beneath.ts"
import { copyAttributes } from "../copy/attributes.ts"
import { copyContent } from "../copy/content.ts"
import { copyLink } from "../copy/link.ts"
import type { Entry } from "../dir.ts"
import { E, refusal } from "../errno.ts"
import { Fd } from "../fd.ts"
import { fstat } from "../file.ts"
import { O } from "../flags.ts"
import { type Name, openat } from "../libc.unsafe.ts"
import { type EntryType, statAt } from "../stat.ts"
import { Site } from "./site.ts"
import { Trail } from "./trail.ts"

/** Nobody else may look in before mode and ACL are those of the source. */
const PRIVATE_FILE = 0o600

export interface CopyOptions {
  /** The path as the caller wrote it, for errors. */
  readonly given: string
  /** Why a name may not be reached. Reserved names are passed over, any other refusal ends the copy. */
  readonly refuses: (name: string) => ErrorCode | null
}

/**
 * Fills the empty `to` with what `from` holds, and gives it the attributes of `from` at the end. Yields the number of copied
 * entries after each, and between the pieces of a large file. A file with several names is copied once for each: a copy
 * whose names hang together could not be updated through this service. Throws UNSUPPORTED_FILE_TYPE for a FIFO, socket or
 * device, and whatever else is in the way; `to` is then to be thrown away.
 * @param from closed by the walk, as is `to`
 */
export function* copyTree(from: Fd, to: Fd, options: CopyOptions): Generator<number, void, void> {
  using walk = new CopyWalk(from, to, options)
  while (!walk.done) {
    yield* walk.step()
    yield walk.copied
  }
}

class CopyWalk implements Disposable {
  copied = 0
  done = false
  readonly #from: Trail
  readonly #to: Site
  readonly #options: CopyOptions

  constructor(from: Fd, to: Fd, options: CopyOptions) {
    this.#from = new Trail(from, options.given, "changing")
    this.#to = new Site(to, options.given)
    this.#options = options
  }

  *step(): Generator<number, void, void> {
    const entry = this.#from.next()
    if (entry === null) return this.#finish()
    if (!this.#takes(entry)) return
    switch (entry.type ?? this.#typeOf(entry)) {
      case "directory": return this.#enter(entry.bytes)
      case "symlink": return this.#copyLink(entry.bytes)
      case "file": return yield* this.#copyFile(entry.bytes)
      default: throw this.#unsupported()
    }
  }

  /** Temporaries of other calls are no part of the tree; what is denied must not be carried along, and half a tree is none. */
  #takes({ name }: Entry): boolean {
    const code = name === null ? null : this.#options.refuses(name)
    if (code === null) return true
    if (code === "RESERVED_PATH") return false
    throw new ToolError(code, { path: this.#options.given, detail: "the deny rules of this gateway cover a name inside it" })
  }

  #typeOf(entry: Entry): EntryType {
    const stat = statAt(this.#from.dir, entry.bytes)
    if (typeof stat === "number") throw this.#refused(stat)
    return stat.type
  }

  #enter(name: Name): void {
    this.#to.enter(name)
    const number = openEntry(this.#from.dir, name, O.RDONLY | O.DIRECTORY, "stay")
    if (number < 0) throw this.#refused(number)
    this.#from.enter(Fd.own(number))
  }

  #finish(): void {
    const { given } = this.#options
    this.#to.settle()
    copyAttributes(this.#from.dir, fstat(this.#from.dir, given, "changing"), this.#to.dir, given)
    this.copied++
    this.done = this.#from.depth === 1
    if (this.done) return
    this.#from.leave()
    this.#to.leave()
  }

  *#copyFile(name: Name): Generator<number, void, void> {
    const number = openat(this.#from.dir.number, name, O.RDONLY | O.NOFOLLOW | O.NONBLOCK | O.NOCTTY)
    if (number < 0) throw this.#refused(number)
    using source = Fd.own(number)
    const stat = fstat(source, this.#options.given, "changing")
    if (stat.type !== "file") throw this.#unsupported()
    const made = openat(this.#to.dir.number, name, O.WRONLY | O.CREAT | O.EXCL | O.NOFOLLOW, PRIVATE_FILE)
    if (made < 0) throw this.#refused(made)
    using copy = Fd.own(made)
    for (const _ of copyContent(source, Number(stat.size), copy, this.#options.given)) yield this.copied
    copyAttributes(source, stat, copy, this.#options.given)
    this.copied++
  }

  #copyLink(name: Name): void {
    const status = copyLink(this.#from.dir, name, this.#to.dir, name)
    if (status < 0) throw this.#refused(status)
    this.copied++
  }

  #unsupported(): ToolError {
    return new ToolError("UNSUPPORTED_FILE_TYPE", { path: this.#options.given, detail: "it holds a FIFO, socket or device, which cannot be copied; nothing was made" })
  }

  #refused(status: number): ToolError {
    if (status !== -E.EXDEV) return refusal(status, this.#options.given, "changing")
    return new ToolError("MUTATION_IO_ERROR", { path: this.#options.given, detail: "another filesystem is mounted inside it; nothing was made" })
  }

  [Symbol.dispose](): void {
    this.#from[Symbol.dispose]()
    this.#to[Symbol.dispose]()
  }
}
