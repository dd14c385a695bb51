/** What /proc says of a running process. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"

const children = (pid: number): number[] => {
  const lists = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"))
  return lists.flatMap((list) => list.split(" ")).filter((word) => word.trim() !== "").map(Number)
}

/** The file it was started from, without directories; null for one that has ended. */
function programOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`).split("/").at(-1) ?? null
  } catch {
    return null
  }
}

/** Its children, the unreaped included, that run this program; all of them without one. */
export function childrenOf(pid: number, program?: string): number[] {
  return children(pid).filter((child) => program === undefined || programOf(child) === program)
}

export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

export function threadsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length
}

function kibibytes(pid: number, field: string): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))
  return Number(line?.[1])
}

/** MiB of memory in use now. */
export const memoryOf = (pid: number): number => kibibytes(pid, "VmRSS") / 1024

/** MiB of memory in use at the most since resetPeak(). */
export const peakOf = (pid: number): number => kibibytes(pid, "VmHWM") / 1024

export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5")
}
