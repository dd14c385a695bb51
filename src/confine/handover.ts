/**
 * What the first image leaves to the second across execve: one JSON value in an anonymous file. So the configuration is
 * read once, the rules and the service cannot disagree about it, and its own files need no rule.
 */
import { closeSync, openSync, readFileSync, readlinkSync, writeSync } from "node:fs"
import { ToolError } from "../errors.ts"
import type { Confinement } from "./confinement.ts"
import { O_PATH } from "./o-path.ts"
import type { Probe } from "./probe.ts"

/** Holds the number of the file's descriptor. Says only where to look: confinement itself is found by trying. */
export const MARK = "SERVERFS_LAUNCH"
export const MEMORY_FILE = "serverfs-launch"

export interface Handover<T> {
  readonly launch: T
  readonly confinement: Confinement
  readonly probe: Probe
  /** Descriptor of /proc/self, from before. */
  readonly self: number
}

export function writeHandover<T>(fd: number, handover: Handover<T>): void {
  const bytes = Buffer.from(JSON.stringify(handover))
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, done)
}

/**
 * The handover in the second image, null in the first. Read once.
 * @typeParam T what the first image of this same program wrote: plain JSON, frozen here
 */
export function takeHandover<T>(): Handover<T> | null {
  const mark = process.env[MARK]
  if (mark === undefined) return null
  delete process.env[MARK]
  const fd = Number(mark)
  if (!isMemoryFile(fd)) throw new ToolError("CONFIGURATION_ERROR", { detail: `${MARK} is set; unset it, it is serverfs's own` })
  const handover: Handover<T> = JSON.parse(readFileSync(`/proc/self/fd/${fd}`, "utf8"), (_key, value) => Object.freeze(value))
  closeSync(fd)
  keepSelf(handover.self)
  return handover
}

function isMemoryFile(fd: number): boolean {
  try {
    return Number.isInteger(fd) && readlinkSync(`/proc/self/fd/${fd}`) === `/memfd:${MEMORY_FILE} (deleted)`
  } catch {
    return false
  }
}

/**
 * A rule belongs to an inode, and procfs makes a new one once the cache entry of /proc/self was dropped (measured: EACCES
 * after a few `echo 2 > /proc/sys/vm/drop_caches`). An open descriptor keeps the entry; opened anew, so that no child gets it.
 */
function keepSelf(inherited: number): void {
  openSync("/proc/self", O_PATH)
  closeSync(inherited)
}
