/** Where the gateway listens, for a command that only asks it something: no directory is looked at, since one that hangs must not fail the question. */
import type { Config } from "./config.ts"
import type { Fault } from "./fault.ts"
import { gatherGiven, type GivenSources } from "./variables/given.ts"
import { readValue } from "./variables/values.ts"

/** From the same sources as the gateway's own configuration; only faults of what it says are noted. */
export function listenAddress(sources: GivenSources, faults: Fault[]): Pick<Config, "host" | "port"> {
  const { lookup } = gatherGiven(sources, faults)
  return { host: readValue("SERVERFS_HOST", lookup, faults), port: readValue("SERVERFS_PORT", lookup, faults) }
}
