/** Whether this process is confined, found by trying: an open that worked before must be refused after. */
import { closeSync, constants, openSync } from "node:fs"
import type { Rules } from "./rules.ts"

/** One open that the rules refuse. Nothing is changed when it works. */
export interface Probe {
  readonly path: string
  readonly flags: number
}

const LIST_ROOT: Probe = { path: "/", flags: constants.O_RDONLY | constants.O_DIRECTORY }
/** Its owner may always write it, and the rules let /proc/self be read only. */
const NAME_SELF: Probe = { path: "/proc/self/comm", flags: constants.O_WRONLY }

/** "open", or the code of the system's refusal. */
export function tryProbe(probe: Probe): string {
  try {
    closeSync(openSync(probe.path, probe.flags))
    return "open"
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "UNKNOWN"
  }
}

/** A probe that works now and that `rules` will refuse. `/` may be a read-only workdir, or not for this user to list. */
export function chooseProbe(rules: Rules): Probe {
  const rootIsServed = rules.paths.some((rule) => rule.path === LIST_ROOT.path)
  return !rootIsServed && tryProbe(LIST_ROOT) === "open" ? LIST_ROOT : NAME_SELF
}
