/** The walker of the Files service: follows symlinks as long as they stay inside the root, a component and a descriptor at a time. */
import { ToolError } from "../errors.ts"
import { type FilesPath, isFilesPath, outside, segments, stepsBelow } from "../workdir/files-path.ts"
import type { Policy } from "../workdir/policy.ts"
import { openBeneath } from "./beneath.ts"
import { type Doing, E, refusal } from "./errno.ts"
import { Fd } from "./fd.ts"
import { O } from "./flags.ts"
import { openat, readlinkat } from "./libc.unsafe.ts"
import type { DirEntry, Root } from "./root.ts"
import { statAt, statOf } from "./stat.ts"

/** As far as the kernel itself goes: MAXSYMLINKS, path_resolution(7). */
const MAX_HOPS = 40
/** symlink(7): a target is a path, and so below PATH_MAX. */
const TARGET_BYTES = 4096
const DIRECTORY = O.PATH | O.DIRECTORY | O.NOFOLLOW

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const target = new Uint8Array(new ArrayBuffer(TARGET_BYTES))

/** What bounds a walk; a lane's Directory is one. */
export interface Bounds {
  readonly root: Root
  readonly policy: Policy
  /** Where the root is, to recognise absolute link targets that lead back into it. */
  readonly settings: { readonly root: string; readonly files: { readonly configuredRoot: string } | null }
}

/** Absolute paths of the root: the real one, and the one that the operator wrote, which may lead there through links. */
export function namesOfRoot({ settings: { root, files } }: Pick<Bounds, "settings">): readonly string[] {
  return files === null ? [root] : [root, files.configuredRoot]
}

/** An entry that links were followed to. Of the root itself, `dir` is the root and `leaf` is ".". */
export interface Followed extends DirEntry {
  /** From the root down to the leaf, every link followed. Empty = the root. */
  readonly names: readonly string[]
  /** The same, but with the caller's last component as it is: what results call it. */
  readonly named: readonly string[]
  /** The path as the caller wrote it, for errors. */
  readonly given: string
}

export interface FollowOptions {
  /** Whether a symlink as the last component leads on, or is itself what the call is about. */
  readonly last: "follow" | "keep"
  /** "changing" opens the parent for its fsync, which reading needs no right to. */
  readonly doing: Doing
  /** Said of a parent that does not exist. */
  readonly missing?: "PATH_NOT_FOUND" | "PARENT_NOT_FOUND"
}

/**
 * Walks to `path`. Nothing but a name in an open directory is ever handed to the kernel, so that no rename elsewhere can
 * turn the walk out of the root: `..` goes back by walking down again. What is behind a missing name or a file is taken
 * lexically, as in realpath(3) of what need not exist.
 * Throws RESERVED_PATH or DENIED_PATH (any name on the way, those out of links included), PATH_OUTSIDE_WORKDIR,
 * SYMLINK_NOT_ALLOWED (over 40 links), NOT_A_DIRECTORY, `missing`, ACCESS_DENIED and the like. The leaf need not exist.
 */
export function follow(bounds: Bounds, path: FilesPath, options: FollowOptions): Followed {
  if (!isFilesPath(path)) throw new TypeError("a Files path is needed")
  bounds.policy.judge(path.steps, path.given)
  const found = straight(bounds, path, options) ?? new Walk(bounds, path, options).run()
  if (options.doing === "reading") return found
  using parent = found.dir
  const number = openat(parent.number, ".", O.RDONLY | O.DIRECTORY)
  if (number < 0) throw refusal(number, path.given, "changing")
  return placed(Fd.own(number), found)
}

/** Opens the directory that the walk came to. Throws NOT_A_DIRECTORY and the like. */
export function openFollowed({ root }: Bounds, entry: Followed): Fd {
  // A directory that was removed while it is open can still be opened.
  if (entry.names.length === 0) root.assertAlive()
  const number = openBeneath(entry.dir, entry.names.length === 0 ? [] : [entry.leaf], O.RDONLY | O.DIRECTORY)
  if (number >= 0) return Fd.own(number)
  if (number === -E.ENOENT) root.assertAlive()
  throw refusal(number, entry.given, "reading")
}

function placed(dir: Fd, { names, named, given }: Pick<Followed, "names" | "named" | "given">): Followed {
  return { dir, leaf: names.at(-1) ?? ".", names, named, given, [Symbol.dispose]: () => dir[Symbol.dispose]() }
}

/** One openat2 where no link is in the way, which is nearly always; null when the walk has to look closer. */
function straight({ root }: Bounds, { steps, given }: FilesPath, { last }: FollowOptions): Followed | null {
  if (steps.includes("..")) return null
  const number = steps.length < 2 ? 0 : openBeneath(root.self, steps.slice(0, -1), DIRECTORY)
  if (number < 0) return null
  const found = placed(steps.length < 2 ? root.self : Fd.own(number), { names: steps, named: steps, given })
  if (last === "keep" || steps.length === 0) return found
  const stat = statAt(found.dir, found.leaf)
  if (typeof stat === "number" || stat.type !== "symlink") return found
  found[Symbol.dispose]()
  return null
}

class Walk {
  readonly #bounds: Bounds
  readonly #given: string
  readonly #options: FollowOptions
  /** What is still to be walked, the next step last. */
  readonly #pending: string[]
  /** From the root down, as far as the walk has come. */
  readonly #names: string[] = []
  /** Set when the last component turns out to be a link that leads on. */
  #named: readonly string[] | undefined
  /** How many of the names `dir` stands for; those beyond could not be entered, for the reason in `status`. */
  #entered = 0
  #dir: Fd
  #status = 0
  #hops = 0

  constructor(bounds: Bounds, path: FilesPath, options: FollowOptions) {
    this.#bounds = bounds
    this.#given = path.given
    this.#options = options
    this.#pending = path.steps.toReversed()
    this.#dir = bounds.root.self
  }

  run(): Followed {
    try {
      for (let step = this.#pending.pop(); step !== undefined; step = this.#pending.pop()) {
        if (step === "..") this.#up()
        else this.#down(step)
      }
      return this.#arrive()
    } catch (error) {
      this.#dir[Symbol.dispose]()
      throw error
    }
  }

  #up(): void {
    if (this.#names.pop() === undefined) throw outside(this.#given)
    if (this.#names.length < this.#entered) this.#enter(this.#names.length)
  }

  #down(name: string): void {
    const code = this.#bounds.policy.refuses(name)
    if (code !== null) throw new ToolError(code, { path: this.#given })
    const last = this.#pending.length === 0
    if (this.#names.length > this.#entered || (last && this.#options.last === "keep")) {
      this.#names.push(name)
      return
    }
    const number = openat(this.#dir.number, name, O.PATH | O.NOFOLLOW)
    if (number < 0) return this.#stopAt(name, number)
    const entry = Fd.own(number)
    const stat = statOf(entry)
    if (typeof stat !== "number" && stat.type === "directory" && !last) {
      this.#names.push(name)
      return this.#stand(entry)
    }
    using _ = entry
    if (typeof stat === "number") throw refusal(stat, this.#given, this.#options.doing)
    if (stat.type === "symlink") {
      if (last) this.#named ??= [...this.#names, name]
      return this.#splice(entry)
    }
    this.#stopAt(name, -E.ENOTDIR)
  }

  /** The link's target takes the link's place in what is still to be walked. */
  #splice(link: Fd): void {
    if (++this.#hops > MAX_HOPS) throw this.#badLink(`more than ${MAX_HOPS} symbolic links on the way`)
    // By the link's own descriptor: a link that was exchanged meanwhile is not the one that was looked at.
    const length = readlinkat(link.number, "", target)
    if (length < 0) throw refusal(length, this.#given, this.#options.doing)
    const text = this.#decoded(target.subarray(0, length))
    const steps = text.startsWith("/") ? this.#fromRoot(text) : segments(text)
    this.#pending.push(...steps.reverse())
  }

  #fromRoot(absolute: string): string[] {
    const steps = stepsBelow(absolute, ...namesOfRoot(this.#bounds))
    if (steps === null) throw outside(this.#given, "a symbolic link in it leads outside")
    this.#names.length = 0
    this.#entered = 0
    this.#stand(this.#bounds.root.self)
    return steps
  }

  #decoded(bytes: Uint8Array): string {
    try {
      return strict.decode(bytes)
    } catch {
      throw this.#badLink("the target of a symbolic link in it is not valid UTF-8")
    }
  }

  #badLink(detail: string): ToolError {
    return new ToolError("SYMLINK_NOT_ALLOWED", { path: this.#given, detail })
  }

  /** Nothing to enter there; whether that matters depends on what follows. */
  #stopAt(name: string, status: number): void {
    if (status !== -E.ENOENT && status !== -E.ENOTDIR) throw refusal(status, this.#given, this.#options.doing)
    this.#names.push(name)
    this.#status = status
  }

  /** Down from the root again to the first `depth` names. A kernel `..` could lead anywhere after a rename. */
  #enter(depth: number): void {
    const number = openBeneath(this.#bounds.root.self, this.#names.slice(0, depth), DIRECTORY)
    if (number < 0) throw refusal(number, this.#given, this.#options.doing)
    this.#stand(Fd.own(number))
    this.#entered = depth
  }

  #stand(dir: Fd): void {
    this.#dir[Symbol.dispose]()
    this.#dir = dir
    this.#entered = this.#names.length
  }

  #arrive(): Followed {
    const parents = Math.max(0, this.#names.length - 1)
    if (this.#entered < parents) throw this.#obstacle()
    if (this.#entered > parents) this.#enter(parents)
    return placed(this.#dir, { names: this.#names, named: this.#named ?? this.#names, given: this.#given })
  }

  #obstacle(): ToolError {
    if (this.#status === -E.ENOENT) {
      this.#bounds.root.assertAlive()
      return new ToolError(this.#options.missing ?? "PATH_NOT_FOUND", { path: this.#given })
    }
    return refusal(this.#status, this.#given, this.#options.doing)
  }
}
