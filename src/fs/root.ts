/** The only walker of ServerFS: from an admitted path to descriptors, never through a symlink, never out of the root. */
import { ToolError } from "../errors.ts"
import { type Admitted, isAdmitted } from "../workdir/policy.ts"
import { codeOf, type Doing, E, refusal, strerror } from "./errno.ts"
import { Fd } from "./fd.ts"
import { AT, O, RESOLVE } from "./flags.ts"
import { openat, openat2 } from "./libc.unsafe.ts"
import { statAt, statOf } from "./stat.ts"

/** Where an operation works: a directory that is open, and one name in it. */
export interface DirEntry extends Disposable {
  readonly dir: Fd
  readonly leaf: string
}

const BENEATH = RESOLVE.BENEATH | RESOLVE.NO_SYMLINKS | RESOLVE.NO_MAGICLINKS
/** openat2(2): a racing rename anywhere may answer EAGAIN; beyond a few tries the slow walk decides. */
const TRIES = 8
const DIRECTORY = O.DIRECTORY | O.NOFOLLOW

export class Root implements Disposable {
  readonly #fd: Fd

  private constructor(fd: Fd) {
    this.#fd = fd
  }

  /** Opens the configured directory; its path was resolved once at start. Throws WORKDIR_UNAVAILABLE or RESOURCE_EXHAUSTED. */
  static open(path: string): Root {
    const fd = openat(AT.FDCWD, path, O.RDONLY | O.DIRECTORY)
    if (fd >= 0) return new Root(Fd.own(fd))
    const detail = strerror(-fd)
    if (codeOf(-fd, "reading") === "RESOURCE_EXHAUSTED") throw new ToolError("RESOURCE_EXHAUSTED", { detail })
    // What the kernel confines the process to are the directories of the start, not what stands at their paths later.
    const refused = fd === -E.EACCES || fd === -E.EPERM
    throw new ToolError("WORKDIR_UNAVAILABLE", { detail, ...(refused ? { advice: "if it was mounted or made anew, the operator has to restart serverfs" } : {}) })
  }

  /** Opens the directory itself, for listing or as a parent. */
  directory(at: Admitted, doing: Doing = "reading"): Fd {
    const names = components(at)
    if (names.length > 0) return this.#walk(names, O.RDONLY | DIRECTORY, at, doing)
    // A directory that was removed while it is open can still be opened, and is empty.
    this.assertAlive()
    return this.#open(".", O.RDONLY | O.DIRECTORY, at, doing)
  }

  /** The parent's descriptor and the last name. The root has no parent: callers refuse it first. */
  entry(at: Admitted, doing: Doing = "reading"): DirEntry {
    const names = components(at)
    const leaf = names.at(-1)
    if (leaf === undefined) throw new Error("the root has no parent")
    // A lent descriptor's disposal is nothing, so both kinds are disposed of alike.
    // Reading needs no more than the right to pass through; a change needs the directory itself, for its fsync.
    const flags = (doing === "reading" ? O.PATH : O.RDONLY) | DIRECTORY
    const dir = names.length === 1 ? this.#fd.lend() : this.#walk(names.slice(0, -1), flags, at, doing)
    return { dir, leaf, [Symbol.dispose]: () => dir[Symbol.dispose]() }
  }

  /** The root's own descriptor, for statOf. */
  get self(): Fd {
    return this.#fd.lend()
  }

  /** Throws WORKDIR_UNAVAILABLE when the directory behind the alias has been removed. */
  assertAlive(): void {
    const stat = statOf(this.#fd)
    if (typeof stat === "number" || stat.nlink === 0) throw new ToolError("WORKDIR_UNAVAILABLE", { detail: "the directory behind this alias has gone" })
  }

  /** One openat2 for the whole path; the walk by component says exactly what was in the way, and serves old kernels. */
  #walk(names: readonly string[], flags: number, at: Admitted, doing: Doing): Fd {
    const path = names.join("/")
    for (let tries = 0; tries < TRIES; tries++) {
      const fd = openat2(this.#fd.number, path, flags, BENEATH)
      if (fd >= 0) return Fd.own(fd)
      if (fd !== -E.EAGAIN) break
    }
    return this.#walkSlowly(names, flags, at, doing)
  }

  #walkSlowly(names: readonly string[], flags: number, at: Admitted, doing: Doing): Fd {
    let dir = this.#fd.lend()
    for (const [index, name] of names.entries()) {
      using parent = dir
      const last = index === names.length - 1
      const fd = openat(parent.number, name, last ? flags : O.PATH | DIRECTORY)
      if (fd < 0) throw this.#obstacle(parent, name, fd, at, doing)
      dir = Fd.own(fd)
    }
    return dir
  }

  /** open(2) says ENOTDIR for a symlink too (O_DIRECTORY with O_NOFOLLOW): look again to tell the two apart. `name` is the caller's own. */
  #obstacle(parent: Fd, name: string, status: number, at: Admitted, doing: Doing): ToolError {
    if (status === -E.ENOENT) this.assertAlive()
    if (status === -E.ENOTDIR || status === -E.ELOOP) {
      const stat = statAt(parent, name)
      const type = typeof stat === "number" ? null : stat.type
      if (type === "symlink") return new ToolError("SYMLINK_NOT_ALLOWED", { path: at.given, detail: `'${name}' is a symbolic link; links are not followed` })
      if (type === "file" || type === "other") return new ToolError("NOT_A_DIRECTORY", { path: at.given, detail: `'${name}' is not a directory, and one is needed` })
    }
    return refusal(status, at.given, doing)
  }

  #open(name: string, flags: number, at: Admitted, doing: Doing): Fd {
    const fd = openat(this.#fd.number, name, flags)
    if (fd >= 0) return Fd.own(fd)
    if (fd === -E.ENOENT) this.assertAlive()
    throw refusal(fd, at.given, doing)
  }

  [Symbol.dispose](): void {
    this.#fd[Symbol.dispose]()
  }
}

/** The capability check at the last door: a look-alike object is a defect, not a caller's mistake. */
function components(at: Admitted): readonly string[] {
  if (!isAdmitted(at)) throw new TypeError("an admitted path is needed")
  return at.components
}
