/** What all nine operations share: where a path leads, what is there, and how results call it. */
import { ToolError } from "../../errors.ts"
import { type Doing, E, refusal } from "../../fs/errno.ts"
import { follow, type Followed, type FollowOptions, namesOfRoot } from "../../fs/follow.ts"
import { type Stat, statAt } from "../../fs/stat.ts"
import { parseFilesPath } from "../../workdir/files-path.ts"
import type { Directory } from "../operation.ts"

/** Where `path` leads. Throws what parseFilesPath and follow do. */
export function reach(directory: Directory, path: string, options: FollowOptions): Followed {
  return follow(directory, parseFilesPath(path, ...namesOfRoot(directory)), options)
}

/** lstat of what a walk came to. Throws PATH_NOT_FOUND, or WORKDIR_UNAVAILABLE when the root itself has gone. */
export function lstat(directory: Directory, entry: Followed, doing: Doing): Stat {
  const stat = lstatIfExists(directory, entry, doing)
  if (stat === null) throw new ToolError("PATH_NOT_FOUND", { path: entry.given })
  return stat
}

/** The same, with null for nothing. */
export function lstatIfExists(directory: Directory, entry: Followed, doing: Doing): Stat | null {
  if (entry.names.length === 0) directory.root.assertAlive()
  const stat = statAt(entry.dir, entry.leaf)
  if (typeof stat !== "number") return stat
  if (stat !== -E.ENOENT) throw refusal(stat, entry.given, doing)
  directory.root.assertAlive()
  return null
}

/** Throws ROOT_MUTATION_NOT_ALLOWED: the root can be reached through `..` and links as well as by its name. */
export function assertNotRoot(entry: Followed): void {
  if (entry.names.length === 0) throw new ToolError("ROOT_MUTATION_NOT_ALLOWED", { path: entry.given })
}

/** The limits of the Files root, which is the only directory that these operations are for. */
export function limitsOf({ settings }: Directory): NonNullable<Directory["settings"]["files"]> {
  if (settings.files === null) throw new Error("this is not the Files root")
  return settings.files
}

/** The path of a result: absolute. @param names from the root down */
export function absolute(directory: Directory, names: readonly string[]): string {
  return [directory.settings.root, ...names].join("/")
}
