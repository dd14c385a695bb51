/** Where a path really is: the same file system, and the place in it. Two bind mounts of one tree differ in path and parents only. */
import { readFileSync } from "node:fs"

export interface Mount {
  /** major:minor, one a file system. */
  readonly device: string
  /** The directory of that file system that is mounted … */
  readonly root: string
  /** … and where. */
  readonly point: string
}

/** A path inside one file system, as seen from its own root. */
export interface Place {
  readonly device: string
  readonly path: string
}

/** The text of /proc/self/mountinfo (proc_pid_mountinfo(5)); blanks and backslashes in it are octal escapes. */
export function parseMounts(text: string): Mount[] {
  const unescaped = (field: string) => field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return text.split("\n").flatMap((line) => {
    const [, , device, root, point] = line.split(" ")
    return device && root && point ? [{ device, root: unescaped(root), point: unescaped(point) }] : []
  })
}

/** The mounts this process sees; none where /proc is missing. */
export function readMounts(): Mount[] {
  try {
    return parseMounts(readFileSync("/proc/self/mountinfo", "utf8"))
  } catch {
    return []
  }
}

/** True when `path` is `directory` or below it; both absolute and without a trailing slash. */
export function isWithin(path: string, directory: string): boolean {
  return directory === "/" || path === directory || path.startsWith(`${directory}/`)
}

/** The place of a real path: by the longest mount point above it, the latest of equal ones. */
export function placeOf(real: string, mounts: readonly Mount[]): Place | null {
  const above = mounts.filter(({ point }) => isWithin(real, point))
  const mount = above.reduce<Mount | null>((best, each) => (best === null || each.point.length >= best.point.length ? each : best), null)
  if (mount === null) return null
  const below = real.slice(mount.point === "/" ? 0 : mount.point.length)
  return { device: mount.device, path: `${mount.root === "/" ? "" : mount.root}${below}` || "/" }
}
