/** Where the state is, for a command that works on it alone: what is wrong with anything else must not keep an operator from revoking a token. */
import { whereOf } from "./directories/directory.ts"
import { stateDirOf } from "./directories/state-dir.ts"
import type { Fault } from "./fault.ts"
import { gatherGiven, type GivenSources } from "./variables/given.ts"
import { misspeltAs } from "./variables/names.ts"
import { readValue } from "./variables/values.ts"

/** From the same sources as the gateway's own configuration. null = a fault. */
export function stateDirectory({ env: environment, options, ...from }: GivenSources, faults: Fault[]): string | null {
  const where = whereOf(from)
  const { env, lookup } = gatherGiven({ env: environment, options, ...where }, faults)
  faults.push(...misspeltAs("SERVERFS_STATE_DIR", env))
  const given = readValue("SERVERFS_STATE_DIR", lookup, faults)
  const directory = stateDirOf(given, env, where, faults)
  return faults.length > 0 ? null : directory
}
