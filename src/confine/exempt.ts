/** Where the rules cannot say what the configuration says. */
import { realpathSync } from "node:fs"
import { dirname } from "node:path"
import { ToolError } from "../errors.ts"
import type { Confinable } from "./rules.ts"

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`)
}

/** As the kernel will see it; a directory that is not there yet stands for itself. */
function real(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    return directory
  }
}

/**
 * Read-only roots inside a directory that the gateway itself writes to. Rights add up on the way to the root and cannot be
 * taken back below, so the kernel would let the process change them; the gateway's own gate still refuses.
 * Throws CONFIGURATION_ERROR when such a directory is `/`: then nothing would be left to confine.
 */
export function exemptRoots({ stateDir, auditFile, workdirs, files }: Confinable): string[] {
  const own = [stateDir, ...(auditFile === null ? [] : [dirname(auditFile.path)])].map(real)
  if (own.includes("/")) {
    throw new ToolError("CONFIGURATION_ERROR", { detail: "the state directory or the audit file is in /; give each a directory of its own" })
  }
  const roots = [...workdirs.map(({ alias, root, readOnly }) => ({ alias, root, readOnly })), ...(files === null ? [] : [{ ...files, alias: "files" }])]
  return roots.filter(({ root, readOnly }) => readOnly && own.some((directory) => isInside(root, directory))).map(({ alias }) => alias)
}
