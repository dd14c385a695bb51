import type { Fault } from "../../config/fault.ts"
import type { Loaded } from "../../config/load.ts"
import { adviceOn } from "../../config/warning.ts"
import { about, type Finding, splitFault } from "../finding.ts"

/** Every fault that a start would find, every warning of the configuration, or what it comes to. */
export function checkConfiguration(loaded: Loaded, faults: readonly Fault[]): Finding[] {
  // What can't be changed is told of each directory by itself (root/access.ts).
  const unknown = loaded.warnings.filter((warning) => warning.event === "config_unknown")
  const warnings = unknown.map(({ variable }) => (
    about("configuration", variable).warning("is a name that serverfs does not know", adviceOn(variable))
  ))
  if (loaded.ok && faults.length === 0) return [about("configuration").ok(summary(loaded)), ...warnings]
  const errors = faults.map(({ variable, message }) => {
    const { wrong, fix } = splitFault(message)
    return about("configuration", variable).error(wrong, fix)
  })
  return [...errors, ...warnings]
}

function summary({ config: { workdirs, files } }: Extract<Loaded, { ok: true }>): string {
  const writable = workdirs.filter(({ readOnly }) => !readOnly).length
  const access = files === null ? "off" : files.readOnly ? "read-only" : "read-write"
  return `${workdirs.length} ${workdirs.length === 1 ? "workdir" : "workdirs"} (${writable} read-write), Files ${access}`
}
