/** The limits as the program counts them. */
import type { Limits } from "./config.ts"
import type { Values } from "./variables/values.ts"

// setTimeout takes 32 bits and fires at once beyond them: 24.8 days have to do.
const LONGEST_MS = 2 ** 31 - 1

function milliseconds(seconds: number): number {
  return Math.min(seconds * 1000, LONGEST_MS)
}

/** Seconds become milliseconds; a default above its own maximum comes down to it. */
export function limitsOf(values: Values): Limits {
  return {
    callTimeoutMs: milliseconds(values.SERVERFS_CALL_TIMEOUT_SECONDS),
    maxReadBytes: values.SERVERFS_MAX_READ_BYTES,
    maxReadLines: values.SERVERFS_MAX_READ_LINES,
    defaultListLimit: Math.min(values.SERVERFS_DEFAULT_LIST_LIMIT, values.SERVERFS_MAX_LIST_ENTRIES),
    maxListEntries: values.SERVERFS_MAX_LIST_ENTRIES,
    defaultSearchResults: Math.min(values.SERVERFS_DEFAULT_SEARCH_RESULTS, values.SERVERFS_MAX_SEARCH_RESULTS),
    maxSearchResults: values.SERVERFS_MAX_SEARCH_RESULTS,
    maxWalkEntries: values.SERVERFS_MAX_WALK_ENTRIES,
    searchTimeoutMs: milliseconds(values.SERVERFS_SEARCH_TIMEOUT_SECONDS),
    searchMaxFileBytes: values.SERVERFS_SEARCH_MAX_FILE_BYTES,
    maxWriteBytes: values.SERVERFS_MAX_WRITE_BYTES,
    maxEditsPerCall: values.SERVERFS_MAX_EDITS_PER_CALL,
    maxCallsInFlight: values.SERVERFS_MAX_CALLS_IN_FLIGHT,
    callsPerMinute: values.SERVERFS_CALLS_PER_MINUTE,
    bytesPerMinute: values.SERVERFS_BYTES_PER_MINUTE,
  }
}
