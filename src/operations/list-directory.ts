/** list_directory: one page of a directory, sorted by code point, in memory bounded by where the page lies. */
import { E, refusal } from "../fs/errno.ts"
import { type EntryType, glanceAt } from "../fs/stat.ts"
import { JsonText } from "../json-text.ts"
import { parsePath } from "../workdir/relpath.ts"
import { utcTime } from "../workdir/timestamp.ts"
import { firstNames } from "./first-names.ts"
import type { Operation } from "./operation.ts"

export interface ListDirectoryInput {
  readonly path: string
  readonly offset: number
  readonly limit: number
}

export interface ListedEntry {
  readonly name: string
  readonly path: string
  readonly type: EntryType
  readonly size: number | null
  readonly modified_at: string
}

export interface ListDirectoryOutput {
  readonly entries: JsonText<ListedEntry[]>
  readonly has_more: boolean
  /** Names that are not valid UTF-8: they cannot be addressed and are left out. */
  readonly undecodable: number
}

export const listDirectory: Operation<ListDirectoryInput, ListDirectoryOutput> = async (directory, input, call) => {
  const at = directory.policy.admit(parsePath(input.path))
  using dir = directory.root.directory(at)
  const end = input.offset + input.limit
  const { names, undecodable } = await firstNames(dir, at.given, end + 1, directory.policy, call)
  const prefix = at.isRoot ? "" : `${at.text}/`
  const entries: ListedEntry[] = []
  let refused = 0
  for (const name of names.slice(input.offset, end)) {
    const glance = glanceAt(dir, name)
    if (typeof glance === "number") {
      // ENOENT: it has vanished since it was read. Anything else may be the fault of one entry, such as a dead mount, and must not hide the others.
      if (glance !== -E.ENOENT) refused = glance
      continue
    }
    const { type, size, mtimeS } = glance
    entries.push({ name, path: prefix + name, type, size: type === "file" ? size : null, modified_at: utcTime(mtimeS) })
  }
  // A directory that may be read and not entered gives names and nothing else.
  if (entries.length === 0 && refused !== 0) throw refusal(refused, at.given, "reading")
  return { entries: JsonText.of(entries), has_more: names.length > end, undecodable }
}
