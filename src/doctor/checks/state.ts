import { FaultError } from "../../config/fault-error.ts"
import { hasPrivateDirectory } from "../../state/private-directory.ts"
import { about, type Finding, splitFault } from "../finding.ts"
import { checkSpace } from "../root/space.ts"

/** The state directory is its owner's alone and has room. Nothing is made. */
export function checkState(stateDir: string): Finding[] {
  const { ok, error } = about("state")
  try {
    if (!hasPrivateDirectory(stateDir)) return [ok(`${stateDir} does not exist yet; the gateway makes it`)]
  } catch (fault) {
    if (!(fault instanceof FaultError)) throw fault
    const { wrong, fix } = splitFault(fault.message)
    return [error(wrong, fix)]
  }
  return [ok(`${stateDir} is this user's alone`), checkSpace({ name: "state", path: stateDir, writable: true })]
}
