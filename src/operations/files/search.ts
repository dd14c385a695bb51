/** search: entries by name, or by their path below where the search starts. Nothing is opened but directories. */
import { batches, type Entry } from "../../fs/dir.ts"
import type { Fd } from "../../fs/fd.ts"
import { openFollowed } from "../../fs/follow.ts"
import { statAt } from "../../fs/stat.ts"
import { TreeLevels } from "../../fs/tree/levels.ts"
import { byCodePoint } from "../../workdir/order.ts"
import { compileAnyDepth, compilePath, type PathState } from "../../workdir/path-glob.ts"
import type { Operation } from "../operation.ts"
import { absolute, limitsOf, reach } from "./entry.ts"

export interface FilesSearchInput {
  readonly path: string
  readonly pattern: string
  readonly recursive: boolean
}

export interface FilesSearchOutput {
  /** Absolute, by code point. */
  readonly matches: readonly string[]
  /** There may be more. */
  readonly truncated: boolean
}

/** Kept back of the call's time, so that a walk that runs out of it can still answer with what it found. */
const GRACE_MS = 500

export const filesSearch: Operation<FilesSearchInput, FilesSearchOutput> = async (directory, input, call) => {
  using start = reach(directory, input.path, { last: "follow", doing: "reading" })
  using levels = new TreeLevels<PathState>(openFollowed(directory, start), start.names, start.given)
  const { maxEntries } = limitsOf(directory)
  const { maxWalkEntries } = directory.settings.limits
  const base = absolute(directory, start.names)
  const onPath = input.pattern.includes("/") || input.pattern.includes("**")
  const glob = onPath ? compilePath(input.pattern) : compileAnyDepth(input.pattern)
  const matches: string[] = []
  let seen = 0
  for (const { dir, path, state } of levels.walk(glob.start)) {
    for (const batch of batches(dir, start.given)) {
      for (const entry of batch) {
        const { name } = entry
        if (++seen > maxWalkEntries) return finish(true)
        if (name === null || directory.policy.refuses(name) !== null) continue
        const below = path === "" ? name : `${path}/${name}`
        if (!levels.isAskable(below)) continue
        const next = glob.step(state, name)
        if (glob.accepts(next)) {
          if (matches.length >= maxEntries) return finish(true)
          matches.push(`${base}/${below}`)
        }
        if (input.recursive && glob.leads(next) && isDirectory(dir, entry, name)) levels.add(below, next)
        if (call.isDue) await call.breathe()
      }
      call.progress(seen)
      await call.breathe()
      if (call.remainingMs() < GRACE_MS) return finish(true)
    }
  }
  return finish(levels.incomplete)

  function finish(truncated: boolean): FilesSearchOutput {
    return { matches: matches.sort(byCodePoint), truncated }
  }
}

function isDirectory(dir: Fd, entry: Entry, name: string): boolean {
  if (entry.type !== null) return entry.type === "directory"
  const stat = statAt(dir, name)
  return typeof stat !== "number" && stat.type === "directory"
}
