/** A start that cannot be: a line a fault on stderr, one `startup_failed` event, an exit status (contract §2). */
import { writeEventNow } from "../audit/write-now.ts"
import { FaultError } from "../config/fault-error.ts"
import { type Fault, faultLine } from "../config/fault.ts"
import { ToolError } from "../errors.ts"
import { StdoutError } from "./stdout.ts"
import { DONE, FAILED } from "./terminal.ts"

export interface Failure {
  /** For the log as well: no path and no value of a variable. */
  readonly reason: string
  readonly variables: readonly string[]
  /** For the operator's eyes, one a fault. */
  readonly lines: readonly string[]
  readonly status: number
}

const NOT_USABLE = 2
const REASON = "the configuration is not usable"

/** Everything that is wrong with the configuration, at once. */
export class StartFailure extends Error {
  override readonly name = "StartFailure"
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super(REASON)
    this.faults = faults
  }
}

/** What an error says of the configuration; null when it says nothing of it. */
export function faultsOf(error: unknown): readonly Fault[] | null {
  if (error instanceof StartFailure) return error.faults
  if (error instanceof FaultError) return [error]
  if (error instanceof ToolError && error.code === "CONFIGURATION_ERROR") return [{ variable: "SERVERFS_CONFINE", message: error.about.detail ?? error.message }]
  return null
}

/** As the log may name it: what follows --dir is a path, and what is quoted was typed in the place of a command. */
function logged(variable: string): string {
  if (variable.startsWith('"')) return "command line"
  return variable.startsWith("--dir ") ? "--dir" : variable
}

/** Lines and event. @param event where the event goes: to stderr at once, unless a log is open already */
export function tellFailure({ reason, variables, lines }: Failure, event: (name: string, fields: Readonly<Record<string, unknown>>) => void = writeEventNow): void {
  for (const line of lines) console.error(line)
  event("startup_failed", { reason, faults: lines.length, variables: variables.map(logged) })
}

/** A reader that has gone has read enough. */
function tellLost({ message, isReaderGone }: StdoutError): number {
  if (isReaderGone) return DONE
  console.error(`serverfs: ${message}, and what it was to show is lost; send it where there is room`)
  return FAILED
}

/** What these faults come to. */
export function failureOf(faults: readonly Fault[]): Failure {
  return { reason: REASON, variables: faults.map(({ variable }) => variable), lines: faults.map(faultLine), status: NOT_USABLE }
}

/** The exit status. Throws what is no fault of the configuration, nor of stdout. */
export function reportFailure(error: unknown): number {
  if (error instanceof StdoutError) return tellLost(error)
  const faults = faultsOf(error)
  if (faults === null) throw error
  tellFailure(failureOf(faults))
  return NOT_USABLE
}
