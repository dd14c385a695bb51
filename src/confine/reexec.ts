/** Runs this program anew in the same process: pid, arguments, environment, stdin, stdout and stderr are kept. */
import { openSync, readFileSync } from "node:fs"
import type { ToolError } from "../errors.ts"
import { cannotConfine } from "./cannot-confine.ts"
import { errnoName } from "./errno-name.ts"
import { type Handover, MARK, MEMORY_FILE, writeHandover } from "./handover.ts"
import type { Landlock } from "./landlock.unsafe.ts"
import { O_PATH } from "./o-path.ts"

/**
 * Restricts the calling thread to `ruleset` and executes `executable`, the one that is running: the other threads end with
 * the old image. Throws CONFIGURATION_ERROR if a step fails, and the process must then end: it is half confined.
 */
export function reexec<T>(landlock: Landlock, ruleset: number, executable: string, handed: Omit<Handover<T>, "self">): never {
  const [argv, environment] = [readNulList("/proc/self/cmdline"), readNulList("/proc/self/environ")]
  const memory = succeeded(landlock.memoryFile(MEMORY_FILE))
  const self = openSync("/proc/self", O_PATH)
  writeHandover(memory, { ...handed, self })
  succeeded(landlock.keepThroughExec([memory, self]))
  succeeded(landlock.restrictSelf(ruleset))
  const own = Buffer.from(`${MARK}=`)
  const kept = environment.filter((entry) => !own.equals(entry.subarray(0, own.length)))
  // The kernel's own record of the arguments: process.argv hides the runtime's flags.
  throw failure(landlock.execve(executable, argv, [...kept, Buffer.from(`${MARK}=${memory}`)]))
}

function succeeded(status: number): number {
  if (status < 0) throw failure(status)
  return status
}

function failure(status: number): ToolError {
  return cannotConfine(`the process cannot be confined (${errnoName(status)})`)
}

/** A list of NUL-terminated strings out of /proc. Bytes: they need not be UTF-8. */
function readNulList(path: string): Uint8Array[] {
  const bytes = readFileSync(path)
  const strings: Uint8Array[] = []
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0, start)
    const end = found < 0 ? bytes.length : found
    strings.push(bytes.subarray(start, end))
    start = end + 1
  }
  return strings
}
