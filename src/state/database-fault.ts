import { SQLiteError } from "bun:sqlite"
import { StateFault } from "./state-fault.ts"

/** What to throw in place of what SQLite threw about this file; anything else as it is. */
export function databaseFault(path: string, error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error
  return new StateFault(`${path} can't be used (${error.message}); mend it, or move it away and make new tokens`)
}
