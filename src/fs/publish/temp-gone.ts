/** Why what was made under a temporary name could not be published. */
import { ToolError } from "../../errors.ts"
import { E } from "../errno.ts"
import type { Stat } from "../stat.ts"

/** @param found what the temporary name leads to instead, or -errno */
export function tempGone(found: Stat | number, given: string): ToolError {
  if (found === -E.ENOENT) return new ToolError("PATH_NOT_FOUND", { path: given, detail: "its directory was emptied or removed meanwhile; nothing was published" })
  return new ToolError("MUTATION_IO_ERROR", { path: given, detail: "another program took the temporary name away; nothing was published", advice: "try again" })
}
