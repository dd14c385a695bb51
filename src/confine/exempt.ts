/** Where the rules cannot say what the configuration says. */
import { dirname } from "node:path"
import { isWithin } from "../config/directories/mounts.ts"
import { realPathOf } from "../config/directories/spot.ts"
import { ToolError } from "../errors.ts"
import type { Confinable } from "./rules.ts"

/**
 * Read-only roots inside a directory that the gateway itself writes to. Rights add up on the way to the root and cannot be
 * taken back below, so the kernel would let the process change them; the gateway's own gate still refuses.
 * Throws CONFIGURATION_ERROR when such a directory is `/`: then nothing would be left to confine.
 */
export function exemptRoots({ stateDir, auditFile, workdirs, files }: Confinable): string[] {
  const own = [stateDir, ...(auditFile === null ? [] : [dirname(auditFile.path)])].map(realPathOf)
  if (own.includes("/")) {
    throw new ToolError("CONFIGURATION_ERROR", { detail: "the state directory or the audit file is in /; give each a directory of its own" })
  }
  const roots = [...workdirs.map(({ alias, root, readOnly }) => ({ alias, root, readOnly })), ...(files === null ? [] : [{ ...files, alias: "files" }])]
  return roots.filter(({ root, readOnly }) => readOnly && own.some((directory) => isWithin(root, directory))).map(({ alias }) => alias)
}
