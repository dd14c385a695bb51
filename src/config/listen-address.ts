/** Where the gateway listens, for a command that only asks it something: no directory is looked at, since one that hangs must not fail the question. */
import type { Config } from "./config.ts"
import type { Fault } from "./fault.ts"
import { gatherGiven, type GivenSources } from "./given.ts"
import { readValues } from "./values.ts"

/** From the same sources as the gateway's own configuration; faults of any variable are noted. */
export function listenAddress(sources: GivenSources, faults: Fault[]): Pick<Config, "host" | "port"> {
  const { SERVERFS_HOST: host, SERVERFS_PORT: port } = readValues(gatherGiven(sources, faults).lookup, faults)
  return { host, port }
}
