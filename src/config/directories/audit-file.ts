/** Where the audit is written besides stderr. */
import { statSync } from "node:fs"
import path from "node:path"
import type { Config } from "../config.ts"
import { type Fault, quote } from "../fault.ts"
import type { Values } from "../variables/values.ts"
import { absolute, inspectDirectory, type Where } from "./directory.ts"

const NAME = "SERVERFS_AUDIT_FILE"

/** The audit file, in a directory that exists; null = off. */
export function auditFileOf(values: Values, where: Where, faults: Fault[]): Config["auditFile"] {
  if (values.SERVERFS_AUDIT_FILE === null) return null
  const file = absolute(values.SERVERFS_AUDIT_FILE, where)
  const inspection = inspectDirectory(path.dirname(file), NAME, where)
  if (inspection.kind !== "directory") faults.push({ variable: NAME, message: `${quote(path.dirname(file))} ${inspection.why}; create that directory first` })
  else if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) faults.push({ variable: NAME, message: `${quote(file)} is a directory; name a file` })
  return { path: file, maxBytes: values.SERVERFS_AUDIT_FILE_MAX_BYTES, keep: values.SERVERFS_AUDIT_FILE_KEEP }
}
