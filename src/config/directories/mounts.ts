/** Where a path really is: the same file system, and the path in it. Two bind mounts of one tree differ in path and parents only. */
import { readFileSync } from "node:fs"

export interface Mount {
  /** major:minor, one a file system. */
  readonly device: string
  /** The directory of that file system that is mounted … */
  readonly root: string
  /** … and where. */
  readonly point: string
  /** Of the file system: "ext4". */
  readonly type: string
}

/** A path inside one file system, as seen from its own root. */
export interface DevicePath {
  readonly device: string
  readonly path: string
}

/** The text of /proc/self/mountinfo (proc_pid_mountinfo(5)); blanks and backslashes in it are octal escapes. */
export function parseMounts(text: string): Mount[] {
  const unescaped = (field: string) => field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return text.split("\n").flatMap((line) => {
    const fields = line.split(" ")
    const [, , device, root, point] = fields
    // Any number of optional fields comes before the dash that the type stands behind.
    const type = fields[fields.indexOf("-") + 1]
    return device && root && point && type ? [{ device, root: unescaped(root), point: unescaped(point), type }] : []
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

/** What a real path lies on: the longest mount point above it, the latest of equal ones. */
export function mountOf(real: string, mounts: readonly Mount[]): Mount | null {
  const above = mounts.filter(({ point }) => isWithin(real, point))
  return above.reduce<Mount | null>((best, each) => (best === null || each.point.length >= best.point.length ? each : best), null)
}

/** The device path of a real path. */
export function devicePathOf(real: string, mounts: readonly Mount[]): DevicePath | null {
  const mount = mountOf(real, mounts)
  if (mount === null) return null
  const below = real.slice(mount.point === "/" ? 0 : mount.point.length)
  return { device: mount.device, path: `${mount.root === "/" ? "" : mount.root}${below}` || "/" }
}
