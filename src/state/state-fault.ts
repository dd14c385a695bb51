import { FaultError } from "../config/fault-error.ts"

/** The state directory can't be used as it is; the message holds the fix. */
export class StateFault extends FaultError {
  constructor(message: string) {
    super("SERVERFS_STATE_DIR", message)
  }
}
