/** How many descriptors this process may have, and how many it has. */
import { readdirSync, readFileSync, statSync } from "node:fs"

/** The limit of the start, proc_pid_limits(5). One that cannot be read, or is none, is never reached. */
export const MAX_DESCRIPTORS = softLimit()

function softLimit(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** As many as there may be when they cannot be counted: then there is none to count them with. */
export function openDescriptors(): number {
  try {
    // The kernel counts them from Linux 6.2 on, in 3 µs.
    return statSync("/proc/self/fd").size || readdirSync("/proc/self/fd").length
  } catch {
    return MAX_DESCRIPTORS
  }
}
