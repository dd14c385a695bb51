/** Removes a tree, one entry at a time: no link is followed, no mount entered, nothing but directories opened. */
import { ToolError } from "../../errors.ts"
import { openEntry } from "../beneath.ts"
import { E, refusal } from "../errno.ts"
import { Fd } from "../fd.ts"
import { AT, O } from "../flags.ts"
import { fchmod, type Name, openat, unlinkat } from "../libc.unsafe.ts"
import { type EntryType, statAt } from "../stat.ts"
import { DEEP, raise } from "./raise.ts"
import { Trail } from "./trail.ts"

const PRIVATE = 0o700
/** A directory that is never empty after so many sweeps is being filled by somebody. */
const MAX_SWEEPS = 16
/** rmdir(2): entries came, or were passed over while others went; or something else has taken the name. */
const ANEW = new Set([E.ENOTEMPTY, E.EEXIST, E.ENOTDIR].map((errno) => -errno))

export interface RemoveOptions {
  /** The path as the caller wrote it, for errors. */
  readonly given: string
  /** Refuses what was changed after this moment (ctime, ns): it would be lost. null = whatever is there goes. */
  readonly unchangedSince: bigint | null
  /** Names that stay, and end the removal: one may have come since the tree was looked through. */
  readonly denied?: (name: string) => boolean
  /** Made by this process: a directory that is closed to writing is opened for it. */
  readonly ours?: boolean
}

interface Entered {
  readonly name: Name
  readonly sweeps: number
}

/**
 * Takes `leaf` in `dir` away, and everything below it first. Yields the number of removed entries after each; the caller
 * decides how many to take in one go. Throws at the first entry that cannot be removed.
 */
export function* removeTree(dir: Fd, leaf: Name, options: RemoveOptions): Generator<number, void, void> {
  using sweep = new Sweep(dir, options)
  sweep.remove(leaf, null)
  while (!sweep.done) {
    sweep.step()
    yield sweep.removed
  }
}

/** Of what was to go because there is a copy of it. */
export function changedSince(given: string): ToolError {
  return new ToolError("FILE_CHANGED_DURING_READ", { path: given, detail: "something changed after it had been copied", advice: "compare the two, then delete one" })
}

class Sweep implements Disposable {
  removed = 0
  readonly #options: RemoveOptions
  readonly #trail: Trail
  /** The directories below the first that were entered, by their names in the one above. */
  readonly #entered: Entered[] = []
  /** The top of the tree, which is given what is far down, to be met there by another sweep. */
  #ground: Fd | null = null
  #raised = false
  /** Inodes that lost one of several names here, which is a change of them too. */
  readonly #shared = new Set<bigint>()

  constructor(dir: Fd, options: RemoveOptions) {
    this.#options = options
    this.#trail = new Trail(dir.lend(), options.given, "changing")
  }

  get done(): boolean {
    return this.#entered.length === 0
  }

  step(): void {
    const entry = this.#trail.next()
    if (entry === null) return this.#finish()
    const { denied, given } = this.#options
    if (denied !== undefined && entry.name !== null && denied(entry.name)) throw new ToolError("DENIED_PATH", { path: given, detail: "the deny rules of this gateway cover a name that came into it meanwhile" })
    this.remove(entry.bytes, entry.type)
  }

  /** Unlinks it, or steps into it when it is a directory. What has vanished is removed. */
  remove(name: Name, type: EntryType | null, sweeps = 0): void {
    if (type !== "directory" && this.#unlink(name)) return
    if (this.#raise(name)) return
    const number = openEntry(this.#trail.dir, name, O.RDONLY | O.DIRECTORY, "stay")
    if (number >= 0) return this.#enter(name, Fd.own(number), sweeps)
    // It was exchanged for something else since it was listed.
    if (number === -E.ENOTDIR || number === -E.ELOOP) return void this.#unlink(name)
    // A directory that may not be listed can still be empty.
    if (number === -E.EACCES && this.#rmdir(name) === 0) return
    if (number !== -E.ENOENT) throw this.#refused(number)
  }

  #enter(name: Name, dir: Fd, sweeps: number): void {
    this.#entered.push({ name: typeof name === "string" ? name : new Uint8Array(name), sweeps })
    if (this.#options.ours === true) fchmod(dir.number, PRIVATE)
    this.#trail.enter(dir)
    if (this.#ground !== null) return
    const number = openat(dir.number, ".", O.PATH | O.DIRECTORY)
    if (number < 0) throw this.#refused(number)
    this.#ground = Fd.own(number)
  }

  /** Not what may have to stay: it would be there under a name that nobody sees. */
  #raise(name: Name): boolean {
    if (this.#trail.depth <= DEEP || this.#ground === null || this.#options.unchangedSince !== null) return false
    if (raise(this.#trail.dir, name, this.#ground) === null) return false
    this.#raised = true
    return true
  }

  /** False when it is a directory. */
  #unlink(name: Name): boolean {
    this.#assertOld(name)
    const status = unlinkat(this.#trail.dir.number, name, 0)
    if (status === -E.EISDIR) return false
    if (status < 0 && status !== -E.ENOENT) throw this.#refused(status)
    if (status === 0) this.removed++
    return true
  }

  #rmdir(name: Name): number {
    const status = unlinkat(this.#trail.dir.number, name, AT.REMOVEDIR)
    if (status === 0) this.removed++
    return status
  }

  /** The end of a directory's listing: it goes, or is gone through once more. */
  #finish(): void {
    this.#trail.leave()
    const last = this.#entered.pop()
    if (last === undefined) return
    const status = this.#rmdir(last.name)
    if (status === 0 || status === -E.ENOENT) return
    if (!ANEW.has(status) || last.sweeps >= MAX_SWEEPS) throw this.#refused(status)
    // What was raised is no sign of somebody who fills it.
    const sweeps = this.#raised && this.done ? 0 : last.sweeps + 1
    if (this.done) this.#raised = false
    this.remove(last.name, null, sweeps)
  }

  #assertOld(name: Name): void {
    const { unchangedSince, given } = this.#options
    if (unchangedSince === null) return
    const stat = statAt(this.#trail.dir, name)
    if (stat === -E.ENOENT) return
    if (typeof stat === "number") throw this.#refused(stat)
    if (stat.type === "directory") return
    const changed = this.#shared.has(stat.ino) ? stat.mtimeNs : stat.ctimeNs
    if (stat.nlink > 1) this.#shared.add(stat.ino)
    if (changed > unchangedSince) throw changedSince(given)
  }

  #refused(status: number): ToolError {
    if (status !== -E.EXDEV) return refusal(status, this.#options.given, "changing")
    return new ToolError("MUTATION_IO_ERROR", { path: this.#options.given, detail: "another filesystem is mounted inside it" })
  }

  [Symbol.dispose](): void {
    this.#ground?.[Symbol.dispose]()
    this.#trail[Symbol.dispose]()
  }
}
