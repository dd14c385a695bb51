/** Where something stands in the tree, by identity and not by name: enough to tell whether two overlap. */
import { realpathSync, statSync } from "node:fs"
import path from "node:path"
import { isWithin, type Mount, type DevicePath, devicePathOf } from "./mounts.ts"

export interface Spot {
  /** Device and inode; null when it does not exist yet. */
  readonly self: string | null
  /** Those of every directory above it along its real path. */
  readonly above: readonly string[]
  readonly devicePath: DevicePath | null
  /** Those of what is mounted somewhere below: it can be reached through here as well. */
  readonly mounted: readonly DevicePath[]
}

export type Relation = "is the same directory as" | "lies inside" | "contains"

function identityOf(real: string): string | null {
  try {
    const { dev, ino } = statSync(real, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return null
  }
}

function parentsOf(real: string): string[] {
  const parent = path.dirname(real)
  return parent === real ? [] : [parent, ...parentsOf(parent)]
}

/** The real path of the nearest thing above that exists, with what is missing put back behind it. */
export function realPathOf(absolute: string): string {
  try {
    return realpathSync(absolute)
  } catch {
    const parent = path.dirname(absolute)
    return parent === absolute ? absolute : path.join(realPathOf(parent), path.basename(absolute))
  }
}

/** The spot of an absolute path, whether it exists or not. */
export function spotOf(absolute: string, mounts: readonly Mount[]): Spot {
  const real = realPathOf(absolute)
  const above = parentsOf(real).map(identityOf).filter((each) => each !== null)
  const below = mounts.filter(({ point }) => point !== real && isWithin(point, real))
  return { self: identityOf(real), above, devicePath: devicePathOf(real, mounts), mounted: below.map(({ device, root }) => ({ device, path: root })) }
}

/** Whether the two are one thing, under whatever names. */
export function isSame(a: Spot, b: Spot): boolean {
  if (a.self !== null && a.self === b.self) return true
  return a.devicePath !== null && a.devicePath.device === b.devicePath?.device && a.devicePath.path === b.devicePath.path
}

function isInside(a: Spot, b: Spot): boolean {
  if (b.self !== null && a.above.includes(b.self)) return true
  const { devicePath } = a
  if (devicePath === null) return false
  const reached = b.devicePath === null ? b.mounted : [b.devicePath, ...b.mounted]
  return reached.some(({ device, path }) => device === devicePath.device && isWithin(devicePath.path, path))
}

/** How `a` lies to `b`; null when neither holds anything of the other. */
export function relation(a: Spot, b: Spot): Relation | null {
  if (isSame(a, b)) return "is the same directory as"
  if (isInside(a, b)) return "lies inside"
  return isInside(b, a) ? "contains" : null
}
