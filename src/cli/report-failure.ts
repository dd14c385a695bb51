/** A start that cannot be: one line a fault on stderr, one `startup_failed` event, exit status 2 (contract §2). */
import { writeEventNow } from "../audit/write-now.ts"
import { type Fault, faultLine } from "../config/fault.ts"
import { FaultError } from "../config/fault-error.ts"
import { ToolError } from "../errors.ts"

/** Everything that is wrong with the configuration, at once. */
export class StartFailure extends Error {
  override readonly name = "StartFailure"
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super("the configuration is not usable")
    this.faults = faults
  }
}

const NOT_USABLE = 2

function faultsOf(error: unknown): readonly Fault[] | null {
  if (error instanceof StartFailure) return error.faults
  if (error instanceof FaultError) return [error]
  if (error instanceof ToolError && error.code === "CONFIGURATION_ERROR") return [{ variable: "SERVERFS_CONFINE", message: error.about.detail ?? error.message }]
  return null
}

/** The exit status. Throws what is no fault of the configuration. */
export function reportFailure(error: unknown): number {
  const faults = faultsOf(error)
  if (faults === null) throw error
  for (const fault of faults) console.error(faultLine(fault))
  writeEventNow("startup_failed", { faults: faults.length, variables: faults.map(({ variable }) => variable) })
  return NOT_USABLE
}
