import type { Fault } from "../config/fault.ts"
import type { Loaded } from "../config/load.ts"
import { stateFaults } from "../state/credentials.ts"

/** Everything that would keep a start from coming up, at once: of the configuration, of the state, and of who may sign in. Looks only. @param now ms since the epoch */
export function startFaults(loaded: Loaded, now: number): readonly Fault[] {
  if (loaded.ok) return stateFaults(loaded.config, now)
  return loaded.entrance === null ? loaded.faults : [...loaded.faults, ...stateFaults(loaded.entrance, now)]
}
