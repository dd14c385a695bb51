import type { Fault } from "../config/fault.ts"

/** The state directory can't be used as it is: a fault of the configuration, with its fix in the message. */
export class StateFault extends Error implements Fault {
  override readonly name = "StateFault"
  readonly variable = "SERVERFS_STATE_DIR"
}
