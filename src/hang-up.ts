/** The signal that a terminal sends when it is closed. */
import { readFileSync } from "node:fs"

/** SIGHUP is signal 1, the lowest bit of the mask. */
const IGNORED = /^SigIgn:\s*[0-9a-f]*[13579bdf]$/m

/** Whether SIGHUP was ignored when this process was started, as nohup(1) has it: then it is to stay so. */
export function ignoresHangUp(): boolean {
  return IGNORED.test(readFileSync("/proc/self/status", "utf8"))
}
