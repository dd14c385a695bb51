import type { Fault } from "./fault.ts"

/** A fault that shows only when what was configured is used; the start ends with it as with any other. */
export class FaultError extends Error implements Fault {
  override readonly name = "FaultError"
  readonly variable: string

  constructor(variable: string, message: string) {
    super(message)
    this.variable = variable
  }
}
