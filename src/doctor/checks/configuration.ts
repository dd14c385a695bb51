import type { Loaded } from "../../config/load.ts"
import { about, type Finding, splitFault } from "../finding.ts"

/** Every fault and warning of the configuration, or what it comes to. */
export function checkConfiguration(loaded: Loaded): Finding[] {
  // What can't be changed is told of each directory by itself (root/access.ts).
  const unknown = loaded.warnings.filter((warning) => warning.event === "config_unknown")
  const warnings = unknown.map(({ variable }) => (
    about("configuration", variable).warning("is a name that serverfs does not know", "remove it, or look up its spelling with serverfs --help")
  ))
  if (loaded.ok) return [about("configuration").ok(summary(loaded)), ...warnings]
  const faults = loaded.faults.map(({ variable, message }) => {
    const { wrong, fix } = splitFault(message)
    return about("configuration", variable).error(wrong, fix)
  })
  return [...faults, ...warnings]
}

function summary({ config: { workdirs, files } }: Extract<Loaded, { ok: true }>): string {
  const writable = workdirs.filter(({ readOnly }) => !readOnly).length
  const access = files === null ? "off" : files.readOnly ? "read-only" : "read-write"
  return `${workdirs.length} ${workdirs.length === 1 ? "workdir" : "workdirs"} (${writable} read-write), Files ${access}`
}
