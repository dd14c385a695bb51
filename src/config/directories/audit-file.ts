/** Where the audit is written besides stderr. */
import { statSync } from "node:fs"
import path from "node:path"
import type { Config } from "../config.ts"
import { type Fault, quote } from "../fault.ts"
import type { Values } from "../variables/values.ts"
import { absolute, inspectDirectory, type Where } from "./directory.ts"
import type { Mount } from "./mounts.ts"
import type { Claim } from "./overlap.ts"
import { isSame, realPathOf, spotOf } from "./spot.ts"

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

/** One fault for each of these files that the audit would be written to, or that would be replaced by an older audit file. */
export function auditFileFaults({ path: file, keep }: NonNullable<Config["auditFile"]>, others: readonly Claim[], mounts: readonly Mount[]): Fault[] {
  const audit = spotOf(file, mounts)
  const isTaken = (other: string): boolean => {
    const [, stem, age] = /^(.+)\.([1-9]\d*)$/.exec(realPathOf(other)) ?? []
    return isSame(audit, spotOf(other, mounts)) || (stem !== undefined && Number(age) <= keep && isSame(audit, spotOf(stem, mounts)))
  }
  return others.filter((other) => isTaken(other.path)).map(({ what, by }) => (
    { variable: NAME, message: `the audit file, or an older one, would take the place of ${what} (${by}); give it a name of its own` }
  ))
}
