/** What the program keeps between runs: one SQLite database in a directory that is its owner's alone. */
import { Database, SQLiteError } from "bun:sqlite"
import { join } from "node:path"
import { migrate } from "./migrate.ts"
import { privateDirectory, privateFile } from "./private-directory.ts"
import { StateFault } from "./state-fault.ts"
import { Tokens } from "./tokens.ts"

export interface State extends Disposable {
  readonly tokens: Tokens
}

/** Temporary tables stay in memory: the kernel confinement leaves no other directory to write to. FULL: a revocation survives a power cut. */
const SETTINGS = [
  "PRAGMA busy_timeout = 2000",
  "PRAGMA journal_mode = WAL",
  "PRAGMA synchronous = FULL",
  "PRAGMA temp_store = MEMORY",
  "PRAGMA foreign_keys = ON",
  "PRAGMA trusted_schema = OFF",
]

/**
 * Opens the state, making or migrating it as needed. The running gateway holds lockGateway() besides.
 * @throws StateFault with the fix in its message
 */
export function openState(directory: string): State {
  privateDirectory(directory)
  const path = join(directory, "state.db")
  privateFile(path)
  const db = new Database(path)
  try {
    for (const setting of SETTINGS) db.run(setting)
    migrate(db)
    return { tokens: new Tokens(db), [Symbol.dispose]: () => db.close() }
  } catch (error) {
    db.close()
    if (error instanceof SQLiteError) throw new StateFault(`${path} can't be used (${error.message}); mend it, or move it away and make new tokens`)
    throw error
  }
}
