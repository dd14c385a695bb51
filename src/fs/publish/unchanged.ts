import { ToolError } from "../../errors.ts"
import { revisionOf } from "../../workdir/revision.ts"
import { E, refusal } from "../errno.ts"
import type { DirEntry } from "../root.ts"
import { type Stat, statAt } from "../stat.ts"

/**
 * The last look before a change: `entry` still holds this very inode, as it was. Throws REVISION_CONFLICT. Linux has no
 * call that compares and renames at once, so another program can still come between this and the change (seed §5).
 */
export function assertUnchanged(entry: DirEntry, stat: Stat, given: string): void {
  const now = statAt(entry.dir, entry.leaf)
  if (typeof now === "number" && now !== -E.ENOENT) throw refusal(now, given, "changing")
  if (typeof now === "number" || revisionOf(now) !== revisionOf(stat)) throw new ToolError("REVISION_CONFLICT", { path: given })
}
