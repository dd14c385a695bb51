/** What the system says and limits of a child. One that has ended meanwhile is no fault. */
import { RLIMIT_DATA } from "./flags.ts"
import { cpuTime, prlimit } from "./libc.unsafe.ts"

/** Lets it have this much memory of its own; what it asks for beyond that it is refused. */
export function limitMemory(pid: number, bytes: number): void {
  prlimit(pid, RLIMIT_DATA, bytes)
}

/** CPU time that it has used, in nanoseconds; below zero when it has ended. */
export function cpuTimeOf(pid: number): number {
  return cpuTime(pid)
}
