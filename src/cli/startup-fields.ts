/** What the `startup` event says: counts and switches, never a path and never the text of a glob (contract §8). */
import type { Config } from "../config/config.ts"
import type { Confinement } from "../confine/confinement.ts"
import { VERSION } from "../version.ts"

export function startupFields(config: Config, confinement: Confinement, port: number): Readonly<Record<string, unknown>> {
  const { workdirs, files } = config
  return {
    version: VERSION,
    bun: Bun.version,
    host: config.host,
    port,
    workdirs: workdirs.length,
    read_write: workdirs.filter(({ readOnly }) => !readOnly).length,
    allow_hidden: workdirs.filter(({ policy }) => policy.allowHidden).length,
    default_deny_off: workdirs.filter(({ policy }) => policy.disableDefaultDeny).length,
    extra_deny_globs: workdirs.reduce((sum, { policy }) => sum + policy.extraDenyGlobs.length, 0),
    files: files === null ? "off" : files.readOnly ? "read-only" : "read-write",
    confinement,
  }
}
