/** Names that are serverfs's own, in every configuration, on every channel, in both services (seed §4). */
import { SENTINEL } from "../config/directories/sentinel.ts"

/** Start of the name of every temporary file and directory. */
export const TEMP_PREFIX = ".serverfs-tmp-"

export const RESERVED_GLOBS: readonly string[] = [`${TEMP_PREFIX}*`, SENTINEL]

export function isReserved(name: string): boolean {
  return name.startsWith(TEMP_PREFIX) || name === SENTINEL
}
