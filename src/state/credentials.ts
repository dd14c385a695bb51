/** The credentials that a start would find. Looks only: nothing is made, and nothing is brought to a newer schema. */
import { Database, SQLiteError } from "bun:sqlite"
import { join } from "node:path"
import type { Credentials } from "../config/credential.ts"
import { MIGRATIONS } from "./migrations.ts"
import { OperatorSecret } from "./operator-secret.ts"
import { hasPrivateDirectory } from "./private-directory.ts"
import { Tokens } from "./tokens.ts"

const NONE: Credentials = { liveTokens: 0, operatorSecret: false }

/** null = not known: the database is of another version, or can't be read. Throws StateFault as privateDirectory() does. */
export function credentialsIn(stateDir: string, now: number): Credentials | null {
  if (!hasPrivateDirectory(stateDir)) return NONE
  try {
    // Not readonly: such a connection leaves its -wal and -shm files behind.
    using db = new Database(join(stateDir, "state.db"), { readwrite: true, create: false })
    const version = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version
    if (version !== MIGRATIONS.length) return null
    return { liveTokens: new Tokens(db).countLive(now), operatorSecret: new OperatorSecret(db).exists }
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    return error.code === "SQLITE_CANTOPEN" ? NONE : null
  }
}
