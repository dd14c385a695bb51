/** The services that this gateway hosts: a new one is its folder and its line here. */
import type { Config } from "../config/config.ts"
import type { Lanes } from "../lane/lanes.ts"
import type { Service } from "../mcp/service.ts"
import { openFiles } from "./files/index.ts"
import { openServerfs } from "./serverfs/index.ts"

/** null = not configured, so not mounted. */
type OpenService = (config: Config, lanes: Lanes) => Service | null

const SERVICES: readonly OpenService[] = [
  openServerfs,
  openFiles,
]

/** Every service that is configured. Starts no thread yet. */
export function openServices(config: Config, lanes: Lanes): Service[] {
  return SERVICES.map((open) => open(config, lanes)).filter((service) => service !== null)
}
