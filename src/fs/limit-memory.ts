import { RLIMIT_DATA } from "./flags.ts"
import { prlimit } from "./libc.unsafe.ts"

/**
 * Lets a child have this much memory of its own; what it asks for beyond that it is refused. A child that has ended
 * meanwhile is no fault.
 */
export function limitMemory(pid: number, bytes: number): void {
  prlimit(pid, RLIMIT_DATA, bytes)
}
