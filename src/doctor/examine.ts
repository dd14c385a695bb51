/** Every check, in the order in which an operator would mend things. */
import { basename } from "node:path"
import { outlookOf } from "../cli/start-faults.ts"
import type { Config } from "../config/config.ts"
import type { Loaded } from "../config/load.ts"
import { wishesOf } from "../confine/wishes.ts"
import { checkConfiguration } from "./checks/configuration.ts"
import { checkConfinement } from "./checks/confinement.ts"
import { checkKernel } from "./checks/kernel.ts"
import { checkPort } from "./checks/port.ts"
import { checkProcess } from "./checks/process.ts"
import { checkPublicUrl } from "./checks/public-url.ts"
import { checkRipgrep } from "./checks/ripgrep.ts"
import { checkRunning } from "./checks/running.ts"
import { checkState } from "./checks/state.ts"
import type { Finding } from "./finding.ts"
import { checkRoots } from "./root/check-roots.ts"
import { targetsOf } from "./root/target.ts"

export interface Patient {
  readonly load: () => Promise<Loaded>
  /** Directories that are known to be named in the configuration, absolute: looked at when it cannot be used. */
  readonly directories: readonly string[]
  /** ripgrep's file; null when it is started from memory. */
  readonly ripgrep: string | null
}

/** Changes nothing but for short-lived files under reserved names in read-write roots. */
export async function examine({ load, directories, ripgrep }: Patient): Promise<Finding[]> {
  const loaded = await load()
  const { faults } = outlookOf(loaded, Date.now())
  const findings = [...checkConfiguration(loaded, faults), checkProcess(), ...checkKernel(), await checkRipgrep(ripgrep)]
  const suspects = directories.map((path) => ({ name: basename(path), path, writable: false }))
  if (!loaded.ok) return [...findings, ...await checkRoots(suspects)]
  return [...findings, ...await examineConfigured(loaded.config, ripgrep, new Set(faults.map(({ variable }) => variable)))]
}

/** @param faulty variables of which it is known what is wrong */
async function examineConfigured(config: Config, ripgrep: string | null, faulty: ReadonlySet<string>): Promise<Finding[]> {
  const targets = targetsOf(config)
  const port = await checkPort(config)
  return [
    ...(faulty.has("SERVERFS_CONFINE") ? [] : await checkConfinement(config, wishesOf(config, ripgrep))),
    ...(faulty.has("SERVERFS_STATE_DIR") ? [] : checkState(config.stateDir)),
    ...await checkRoots(targets),
    port.finding,
    ...(port.running === null || config.token === null ? [] : await checkRunning(port.running, config.token, targets)),
    ...(config.publicUrl === null ? [] : await checkPublicUrl(config.publicUrl)),
  ]
}
