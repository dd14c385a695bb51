/** find_files: a walk with one descriptor open at a time, which does not enter what no match can be in. */
import { batches, type Entry } from "../fs/dir.ts"
import type { Fd } from "../fs/fd.ts"
import { type EntryType, statAt } from "../fs/stat.ts"
import { byCodePoint } from "../workdir/order.ts"
import { compileAnyDepth, compilePath, type PathGlob, type PathState } from "../workdir/path-glob.ts"
import type { Admitted } from "../workdir/policy.ts"
import { parsePath } from "../workdir/relpath.ts"
import type { Call, Directory, Operation } from "./operation.ts"
import { admitWalked, isAskable, leaveOut } from "./walked.ts"

export interface FindFilesInput {
  /** A glob on the name; with a slash, on the path below `path`. */
  readonly pattern: string
  readonly path: string
  readonly limit: number
  readonly type: EntryType | "any"
}

export interface FindFilesOutput {
  /** Relative to the root. A directory's own entries by code point, then those of its sub-directories. */
  readonly paths: readonly string[]
  readonly truncated: boolean
}

/** Kept back of the call's time, so that a walk that runs out of it can still answer with what it found. */
const GRACE_MS = 500

export const findFiles: Operation<FindFilesInput, FindFilesOutput> = async (directory, input, call) => {
  const start = directory.policy.admit(parsePath(input.path))
  const walk = new Walk(directory, input, call)
  await walk.run(start)
  return { paths: walk.paths, truncated: walk.truncated }
}

/** A directory that is still to be read; its path is relative to the root. */
interface Pending {
  readonly path: string
  readonly state: PathState
}

class Walk {
  readonly paths: string[] = []
  truncated = false
  readonly #directory: Directory
  readonly #input: FindFilesInput
  readonly #call: Call
  readonly #glob: PathGlob
  /** Last in, first out. */
  readonly #pending: Pending[] = []
  #seen = 0
  #stopped = false

  constructor(directory: Directory, input: FindFilesInput, call: Call) {
    this.#directory = directory
    this.#input = input
    this.#call = call
    this.#glob = input.pattern.includes("/") ? compilePath(input.pattern) : compileAnyDepth(input.pattern)
  }

  /** Throws when the start itself can't be read; what is below it and can't is left out. */
  async run(start: Admitted): Promise<void> {
    await this.#read(start, this.#glob.start)
    for (let next = this.#pending.pop(); next !== undefined && !this.#stopped; next = this.#pending.pop()) {
      try {
        // From the root each time: no descriptor is kept for the way back, and a directory that is swapped leads nowhere else.
        await this.#read(admitWalked(this.#directory.policy, next.path), next.state)
      } catch (error) {
        this.#call.check()
        leaveOut(error, this.#directory.root)
      }
    }
  }

  async #read(at: Admitted, state: PathState): Promise<void> {
    using dir = this.#directory.root.directory(at)
    const prefix = at.isRoot ? "" : `${at.text}/`
    const found: string[] = []
    const below: Pending[] = []
    for (const batch of batches(dir, at.given)) {
      for (const entry of batch) {
        if (this.#seen === this.#directory.settings.limits.maxWalkEntries) this.#stop()
        if (this.#stopped) break
        this.#seen++
        this.#judge(entry, dir, prefix, state, found, below)
        if (this.#call.isDue) await this.#call.breathe()
      }
      this.#call.progress(this.#seen)
      await this.#call.breathe()
      if (this.#call.remainingMs() < GRACE_MS) this.#stop()
      if (this.#stopped) break
    }
    this.#take(found)
    for (const each of below.sort((a, b) => byCodePoint(b.path, a.path))) this.#pending.push(each)
  }

  #judge({ name, type: given }: Entry, dir: Fd, prefix: string, before: PathState, found: string[], below: Pending[]): void {
    if (name === null) return
    const state = this.#glob.step(before, name)
    const matches = this.#glob.accepts(state)
    const leads = this.#glob.leads(state)
    if (!matches && (!leads || (given !== "directory" && given !== null))) return
    if (this.#directory.policy.refuses(name) !== null) return
    const type = given ?? typeOf(dir, name)
    const path = prefix + name
    const wanted = matches && type !== null && (this.#input.type === "any" || this.#input.type === type)
    const enters = leads && type === "directory"
    if (!wanted && !enters) return
    if (!isAskable(path)) {
      this.truncated = true
      return
    }
    if (wanted) found.push(path)
    if (enters) below.push({ path, state })
  }

  #take(found: string[]): void {
    for (const path of found.sort(byCodePoint)) {
      if (this.paths.length < this.#input.limit) this.paths.push(path)
    }
    if (this.paths.length === this.#input.limit) this.#stop()
  }

  #stop(): void {
    this.#stopped = true
    this.truncated = true
  }
}

/** For filesystems that don't give types with names; null when it has vanished. */
function typeOf(dir: Fd, name: string): EntryType | null {
  const stat = statAt(dir, name)
  return typeof stat === "number" ? null : stat.type
}
