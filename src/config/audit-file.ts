/** Where the audit is written besides stderr. */
import { accessSync, constants, lstatSync } from "node:fs"
import path from "node:path"
import type { Config } from "./config.ts"
import { absolute, inspectDirectory, type Where } from "./directory.ts"
import { type Fault, quote } from "./fault.ts"
import type { Values } from "./values.ts"

const NAME = "SERVERFS_AUDIT_FILE"

/** The audit file, in a directory that exists; null = off. */
export function auditFileOf(values: Values, where: Where, faults: Fault[]): Config["auditFile"] {
  if (values.SERVERFS_AUDIT_FILE === null) return null
  const file = absolute(values.SERVERFS_AUDIT_FILE, where)
  const inspection = inspectDirectory(path.dirname(file), NAME, where)
  if (inspection.kind !== "directory") faults.push({ variable: NAME, message: `${quote(path.dirname(file))} ${inspection.why}; create that directory first` })
  else {
    const why = unfit(file)
    if (why !== null) faults.push({ variable: NAME, message: `${quote(file)} ${why}; name a regular file, or a new one, that this process may write to` })
  }
  return { path: file, maxBytes: values.SERVERFS_AUDIT_FILE_MAX_BYTES, keep: values.SERVERFS_AUDIT_FILE_KEEP }
}

/** Why it can't be appended to, as far as looking can tell; null = nothing is in the way. */
function unfit(file: string): string | null {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) return "is a directory"
  if (stat !== undefined && !stat.isFile()) return "is a link, or no regular file"
  try {
    if (stat === undefined) accessSync(path.dirname(file), constants.W_OK | constants.X_OK)
    else accessSync(file, constants.R_OK | constants.W_OK)
    return null
  } catch {
    return "cannot be written by this process"
  }
}
