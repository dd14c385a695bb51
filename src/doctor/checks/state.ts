import { existsSync } from "node:fs"
import { about, type Finding } from "../finding.ts"
import { checkSpace } from "../root/space.ts"

/** What there is to say of a state directory that a start can use. Nothing is made. */
export function checkState(stateDir: string): Finding[] {
  const { ok } = about("state")
  if (!existsSync(stateDir)) return [ok(`${stateDir} does not exist yet; the gateway makes it`)]
  return [ok(`${stateDir} is this user's alone`), checkSpace({ name: "state", path: stateDir, writable: true })]
}
