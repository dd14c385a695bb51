/** The state for one use, by a command that has to say what became of it. */
import { join } from "node:path"
import { STATE_FILE } from "../config/directories/state-files.ts"
import { databaseFault } from "./database-fault.ts"
import { StateFault } from "./state-fault.ts"
import { openState, type State } from "./state.ts"

/**
 * Opens the state, uses it and closes it again.
 * @param outcome what holds when that fails: "token 'ci' is not made"
 * @throws StateFault that says so
 */
export function withState<T>(directory: string, outcome: string | (() => string), use: (state: State) => T): T {
  try {
    using state = openState(directory)
    return use(state)
  } catch (error) {
    throw failedUse(directory, typeof outcome === "string" ? outcome : outcome(), error)
  }
}

/** What to throw in place of what kept the state from being used; anything else as it is. */
export function failedUse(directory: string, outcome: string, error: unknown): unknown {
  const fault = databaseFault(join(directory, STATE_FILE), error)
  return fault instanceof StateFault ? new StateFault(`${fault.message}; ${outcome}`) : fault
}
