/** One entry as stat and list_dir show it (contract §6, FileEntry). */
import type { EntryType, Stat } from "../../fs/stat.ts"

export interface FileEntry {
  /** Absolute, inside the root. */
  readonly path: string
  readonly name: string
  readonly type: EntryType
  /** Bytes of a file, else 0: a link's would tell the length of its target. */
  readonly size: number
  /** Seconds since the epoch. */
  readonly mtime: number
  /** Permission bits. */
  readonly mode: number
}

/** @param path absolute */
export function fileEntry(path: string, stat: Stat): FileEntry {
  const { type, mode, mtimeNs } = stat
  return {
    path,
    name: path.slice(path.lastIndexOf("/") + 1),
    type,
    size: type === "file" ? Number(stat.size) : 0,
    mtime: Number(mtimeNs) / 1e9,
    mode: mode & 0o7777,
  }
}
