/** stat_file: what the last component itself is, a symlink (dangling too) included. */
import { refusal } from "../fs/errno.ts"
import { type EntryType, type Stat, statAt, statOf } from "../fs/stat.ts"
import { mimeType } from "../workdir/mime.ts"
import type { Admitted } from "../workdir/policy.ts"
import { parsePath } from "../workdir/relpath.ts"
import { revisionOf } from "../workdir/revision.ts"
import { utcSeconds } from "../workdir/timestamp.ts"
import type { Directory, Operation } from "./operation.ts"

export interface StatFileOutput {
  readonly path: string
  readonly type: EntryType
  /** Bytes; null for everything but files. */
  readonly size: number | null
  readonly modified_at: string
  readonly mime_type: string | null
  readonly revision: string
}

export const statFile: Operation<{ readonly path: string }, StatFileOutput> = (directory, input) => {
  const at = directory.policy.admit(parsePath(input.path))
  const stat = look(directory, at)
  const isFile = stat.type === "file"
  return {
    path: at.text,
    type: stat.type,
    size: isFile ? Number(stat.size) : null,
    modified_at: utcSeconds(stat.mtimeNs),
    mime_type: isFile ? mimeType(at.components.at(-1) ?? "") : null,
    revision: revisionOf(stat),
  }
}

function look(directory: Directory, at: Admitted): Stat {
  if (at.isRoot) {
    directory.root.assertAlive()
    return found(statOf(directory.root.self), at, directory)
  }
  using entry = directory.root.entry(at)
  return found(statAt(entry.dir, entry.leaf), at, directory)
}

function found(stat: Stat | number, at: Admitted, directory: Directory): Stat {
  if (typeof stat !== "number") return stat
  directory.root.assertAlive()
  throw refusal(stat, at.given, "reading")
}
