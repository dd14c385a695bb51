/** --check: the configuration in force, without secrets, or every fault that a start would find. */
import { faultLine } from "../../config/fault.ts"
import type { Loaded } from "../../config/load.ts"
import { warningText } from "../../config/warning.ts"
import { outlookOf } from "../start-faults.ts"
import { DONE, type Terminal, USAGE } from "../terminal.ts"
import { checkReport } from "./check-report.ts"

export interface CheckContext extends Terminal {
  /** Milliseconds since the epoch. */
  readonly now: number
}

export function check(loaded: Loaded, { stdout, stderr, now }: CheckContext): number {
  for (const warning of loaded.warnings) stderr.write(`serverfs: ${warningText(warning)}\n`)
  const { faults, credentials } = outlookOf(loaded, now)
  for (const fault of faults) stderr.write(`${faultLine(fault)}\n`)
  if (!loaded.ok || faults.length > 0) return USAGE
  stdout.write(`${checkReport(loaded.config, loaded.given, credentials)}\n`)
  return DONE
}
