/**
 * Directories far down, lent a place near the top of their tree. Landlock looks at every directory from what is opened, made
 * or removed up to the one that a rule names (is_access_to_paths_allowed in security/landlock/fs.c), which makes a walk
 * through a chain of directories quadratic: at 4,096 levels that was nine tenths of the time of a copy.
 */
import type { Fd } from "../fd.ts"
import { type Name, renameat2 } from "../libc.unsafe.ts"
import { tempName } from "../publish/temp-name.ts"

/** Levels that are left where they are: more than people or their programs make, and little enough to be looked at each time. */
export const DEEP = 256

/**
 * Moves directory `name` of `dir` to a reserved name in `ground`, which it returns. null: it stays where it is, for it is a
 * mount, not ours to change, or confined by a Landlock that lets nothing go from one directory to another (ABI 1).
 */
export function raise(dir: Fd, name: Name, ground: Fd): string | null {
  const raised = tempName()
  return renameat2(dir.number, name, ground.number, raised, 0) === 0 ? raised : null
}
