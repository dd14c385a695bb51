import { existsSync } from "node:fs"
import type { Config } from "../../config/config.ts"
import { stateFaults } from "../../state/credentials.ts"
import { about, type Finding, splitFault } from "../finding.ts"
import { checkSpace } from "../root/space.ts"

/** The state is its owner's alone, can be read, has room, and lets somebody in where that is needed. Nothing is made. */
export function checkState(config: Pick<Config, "host" | "token" | "stateDir">, now: number): Finding[] {
  const { stateDir } = config
  const faults = stateFaults(config, now)
  if (faults.length > 0) {
    return faults.map(({ variable, message }) => {
      const { wrong, fix } = splitFault(message)
      return about("state", variable).error(wrong, fix)
    })
  }
  const { ok } = about("state")
  if (!existsSync(stateDir)) return [ok(`${stateDir} does not exist yet; the gateway makes it`)]
  return [ok(`${stateDir} is this user's alone`), checkSpace({ name: "state", path: stateDir, writable: true })]
}
