/** What may take the place of what (contract §6, overwrite). Trees are never merged. */
import { ToolError } from "../../errors.ts"
import { batches } from "../../fs/dir.ts"
import { type Followed, openFollowed } from "../../fs/follow.ts"
import type { EntryType, Stat } from "../../fs/stat.ts"
import type { Directory } from "../operation.ts"

/** How something comes to a name: nothing has it, or its holder, of the kind that is said, gives way. */
export type Way = "new" | "for a file" | "for a link" | "for a directory"

const INTO = "dst is the final name: to put it into this directory, add /NAME to dst"

/** What would work where `found` is and nothing may be overwritten. */
function instead(found: EntryType, coming: EntryType): string {
  if (found === "directory") return coming === "directory" ? `${INTO}; overwrite=true replaces an empty one` : INTO
  return found === "other" || (found === "file" && coming === "directory") ? "choose another dst" : "overwrite=true replaces it"
}

/**
 * Throws PATH_ALREADY_EXISTS, or with `overwrite` NOT_A_FILE, NOT_A_DIRECTORY or UNSUPPORTED_FILE_TYPE. Whether a directory
 * is empty is for the kernel to say, at the moment it gives way.
 * @param found what is at `entry` now
 */
export function wayTo(entry: Followed, found: Stat | null, coming: EntryType, overwrite: boolean): Way {
  if (found === null) return "new"
  if (!overwrite) throw new ToolError("PATH_ALREADY_EXISTS", { path: entry.given, advice: instead(found.type, coming) })
  switch (found.type) {
    case "symlink": return "for a link"
    case "other": throw new ToolError("UNSUPPORTED_FILE_TYPE", { path: entry.given })
    case "file":
      if (coming === "directory") throw new ToolError("NOT_A_DIRECTORY", { path: entry.given, detail: "a directory cannot take the place of a file", advice: "choose another dst" })
      return "for a file"
    case "directory":
      if (coming !== "directory") throw new ToolError("NOT_A_FILE", { path: entry.given, detail: "a file cannot take the place of a directory", advice: INTO })
      return "for a directory"
  }
}

/** Throws DIRECTORY_NOT_EMPTY. Entries that nobody sees count too. */
export function assertEmpty(directory: Directory, entry: Followed): void {
  using opened = openFollowed(directory, entry)
  for (const batch of batches(opened, entry.given)) {
    if (batch.length > 0) throw new ToolError("DIRECTORY_NOT_EMPTY", { path: entry.given })
  }
}

/** Throws INVALID_ARGUMENTS when one entry is the other, or lies in it. */
export function assertApart(from: Followed, to: Followed): void {
  if (!from.names.every((name, at) => to.names[at] === name)) return
  const detail = from.names.length === to.names.length ? "src and dst are the same" : "a directory cannot go into itself"
  throw new ToolError("INVALID_ARGUMENTS", { path: to.given, detail })
}
