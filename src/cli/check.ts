/** --check: the configuration in force, without secrets, or every fault that a start would find. */
import { needsCredential } from "../config/credential.ts"
import { type Fault, faultLine } from "../config/fault.ts"
import type { Loaded } from "../config/load.ts"
import { warningText } from "../config/warning.ts"
import { credentialsIn } from "../state/credentials.ts"
import { StateFault } from "../state/state-fault.ts"
import { checkReport } from "./check-report.ts"
import { DONE, type Terminal, USAGE } from "./terminal.ts"

export interface CheckContext extends Terminal {
  /** Milliseconds since the epoch. */
  readonly now: number
}

export function check(loaded: Loaded, { stdout, stderr, now }: CheckContext): number {
  for (const warning of loaded.warnings) stderr.write(`serverfs: ${warningText(warning)}\n`)
  const outcome = loaded.ok ? reported(loaded, now) : loaded.faults
  if (typeof outcome === "string") {
    stdout.write(`${outcome}\n`)
    return DONE
  }
  for (const fault of outcome) stderr.write(`${faultLine(fault)}\n`)
  return USAGE
}

function reported({ config, given }: Extract<Loaded, { ok: true }>, now: number): string | readonly Fault[] {
  try {
    const credentials = credentialsIn(config.stateDir, now)
    const fault = credentials === null ? null : needsCredential(config, credentials)
    return fault === null ? checkReport(config, given, credentials) : [fault]
  } catch (error) {
    if (error instanceof StateFault) return [error]
    throw error
  }
}
