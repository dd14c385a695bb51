import { SQLiteError } from "bun:sqlite"
import { BUSY_MS } from "./patience.ts"
import { StateFault } from "./state-fault.ts"

/** What keeps SQLite from a database that may be sound, and what would help; by how its code begins. */
const OBSTACLES = {
  SQLITE_FULL: { why: "the disk is full", fix: "free some space and try again" },
  SQLITE_BUSY: { why: `another process has kept it locked for ${BUSY_MS / 1000} s`, fix: "try again, or end that process" },
  SQLITE_READONLY: { why: "it is read-only", fix: "let this user write to it" },
  SQLITE_CANTOPEN: { why: "it can't be opened", fix: "let this user read and write it" },
  SQLITE_IOERR: { why: "the disk is full or broken", fix: "free some space, or mend it" },
} as const

const UNSOUND = "mend it, or move it away and make new tokens"

/** What to throw in place of what SQLite threw about this file; anything else as it is. */
export function databaseFault(path: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  const obstacle = Object.entries(OBSTACLES).find(([code]) => error.code?.startsWith(code))?.[1]
  return new StateFault(`${path} can't be used (${obstacle?.why ?? error.message}); ${obstacle?.fix ?? UNSOUND}`)
}
