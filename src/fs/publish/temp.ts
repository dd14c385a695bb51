/** A file that is not published yet: without a name where the filesystem has O_TMPFILE, else under a reserved one. */
import { ToolError } from "../../errors.ts"
import { E, refusal } from "../errno.ts"
import { Fd } from "../fd.ts"
import { AT, O } from "../flags.ts"
import { linkat, openat, renameat2, unlinkat } from "../libc.unsafe.ts"
import { sameInode, statAt, statOf } from "../stat.ts"
import { tempGone } from "./temp-gone.ts"
import { tempName } from "./temp-name.ts"

/** open(2): what a filesystem or a kernel without O_TMPFILE says. */
const NO_TMPFILE = new Set([E.EOPNOTSUPP, E.EISDIR, E.EINVAL, E.ENOENT].map((errno) => -errno))

/** link(2): what is said where a file cannot get another name, or where there is no /proc to name it by. */
export const NO_LINKS: ReadonlySet<number> = new Set([E.EPERM, E.EOPNOTSUPP, E.ENOSYS, E.EMLINK, E.EXDEV, E.ENOENT].map((errno) => -errno))

/**
 * A file without a name, which vanishes with its descriptor, after a kill too; null where there is no such thing.
 * Throws what the directory refuses.
 * @param mode less the umask
 */
export function openNameless(dir: Fd, mode: number, given: string): Fd | null {
  const number = openat(dir.number, ".", O.TMPFILE | O.WRONLY, mode)
  if (number >= 0) return Fd.own(number)
  if (NO_TMPFILE.has(number)) return null
  throw refusal(number, given, "changing")
}

/** Gives the open file itself the name `leaf`: another that was swapped in cannot be linked so. 0 or -errno. */
export function linkOpen(fd: Fd, dir: Fd, leaf: string): number {
  return linkat(AT.FDCWD, fd.procPath, dir.number, leaf, AT.SYMLINK_FOLLOW)
}

/** A file under a reserved name; the name is removed on disposal unless it was renamed. */
export class NamedTemp implements Disposable {
  readonly fd: Fd
  readonly #dir: Fd
  readonly #name: string
  readonly #given: string
  #named = true

  private constructor(fd: Fd, dir: Fd, name: string, given: string) {
    this.fd = fd
    this.#dir = dir
    this.#name = name
    this.#given = given
  }

  /** A new empty file. Throws what the directory refuses. @param mode less the umask */
  static create(dir: Fd, mode: number, given: string): NamedTemp {
    refuseAppendOnly(dir, given)
    const name = tempName()
    const number = openat(dir.number, name, O.WRONLY | O.CREAT | O.EXCL | O.NOFOLLOW, mode)
    if (number < 0) throw refusal(number, given, "changing")
    return new NamedTemp(Fd.own(number), dir, name, given)
  }

  /** A nameless file gets its name; null where it cannot have one. */
  static of(nameless: Fd, dir: Fd, given: string): NamedTemp | null {
    refuseAppendOnly(dir, given)
    const name = tempName()
    const status = linkOpen(nameless, dir, name)
    if (NO_LINKS.has(status)) return null
    if (status < 0) throw refusal(status, given, "changing")
    return new NamedTemp(nameless, dir, name, given)
  }

  /** Throws PATH_NOT_FOUND when the name has gone, MUTATION_IO_ERROR when it leads to another file than the one that was written. */
  assertOurs(): void {
    const written = statOf(this.fd), named = statAt(this.#dir, this.#name)
    if (typeof written === "number") throw refusal(written, this.#given, "changing")
    if (typeof named !== "number" && sameInode(written, named)) return
    throw tempGone(named, this.#given)
  }

  /** Throws what renameat2(2) refuses. @param flags 0 or RENAME_NOREPLACE */
  renameTo(leaf: string, flags: number): void {
    const status = renameat2(this.#dir.number, this.#name, this.#dir.number, leaf, flags)
    if (status < 0) throw refusal(status, this.#given, "changing")
    this.#named = false
  }

  /** Does nothing once it was renamed. */
  removeName(): void {
    if (this.#named) unlinkat(this.#dir.number, this.#name, 0)
    this.#named = false
  }

  [Symbol.dispose](): void {
    this.removeName()
    this.fd[Symbol.dispose]()
  }
}

/** In a directory that only grows, a temporary name would stay for good. */
export function refuseAppendOnly(dir: Fd, given: string): void {
  const stat = statOf(dir)
  if (typeof stat !== "number" && stat.appendOnly) throw new ToolError("ACCESS_DENIED", { path: given, detail: "its directory is append-only" })
}
