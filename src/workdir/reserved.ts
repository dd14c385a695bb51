/** Names that are serverfs's own, in every configuration, on every channel, in both services (seed §4). */

/** Start of the name of every temporary file and directory. */
export const TEMP_PREFIX = ".serverfs-tmp-"
/** Marks a slot of the container layout as a placeholder. */
export const DISABLED_SENTINEL = ".serverfs-disabled"

export const RESERVED_GLOBS: readonly string[] = [`${TEMP_PREFIX}*`, DISABLED_SENTINEL]

export function isReserved(name: string): boolean {
  return name.startsWith(TEMP_PREFIX) || name === DISABLED_SENTINEL
}
