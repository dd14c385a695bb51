/** What the two walks, find_files and search_text, share: from a path they came upon to one that may be asked for. */
import { ToolError } from "../errors.ts"
import type { Root } from "../fs/root.ts"
import type { Admitted, Policy } from "../workdir/policy.ts"
import { fits, MAX_PATH_BYTES, parsePath } from "../workdir/relpath.ts"

/** As a caller would have to write it: a leading `~` is refused in a path, but may well begin a name. */
function written(path: string): string {
  return path.startsWith("~") ? `./${path}` : path
}

/** False for a path that is too long to be asked for (contract §3). */
export function isAskable(path: string): boolean {
  return fits(written(path), MAX_PATH_BYTES)
}

/** @param path relative to the root. Throws like Policy.admit and parsePath. */
export function admitWalked(policy: Policy, path: string): Admitted {
  return policy.admit(parsePath(written(path)))
}

/**
 * For a walk that leaves out what it can't read. Throws the error again when it is not about that one entry: the process
 * has run out of something, or the whole directory has gone.
 */
export function leaveOut(error: unknown, root: Root): void {
  if (!(error instanceof ToolError) || error.code === "RESOURCE_EXHAUSTED") throw error
  // It may be a filesystem mounted further down that has died, alone.
  if (error.code === "WORKDIR_UNAVAILABLE") root.assertAlive()
}
