/** The credentials that a start would find, and what would keep it from finding any. Looks only: nothing is made, and nothing is brought to a newer schema. */
import { Database, SQLiteError } from "bun:sqlite"
import { join } from "node:path"
import type { Config } from "../config/config.ts"
import { type Credentials, needsCredential } from "../config/credential.ts"
import type { Fault } from "../config/fault.ts"
import { MIGRATIONS } from "./migrations.ts"
import { OperatorSecret } from "./operator-secret.ts"
import { hasPrivateFile } from "./private-directory.ts"
import { StateFault, tooNew, unusable } from "./state-fault.ts"
import { Tokens } from "./tokens.ts"

const NONE: Credentials = { liveTokens: 0, operatorSecret: false }

/** null = not known before the database has been brought to this version. Throws StateFault as openState() would. */
export function credentialsIn(stateDir: string, now: number): Credentials | null {
  const path = join(stateDir, "state.db")
  if (!hasPrivateFile(path)) return NONE
  try {
    // Not readonly: such a connection leaves its -wal and -shm files behind.
    using db = new Database(path, { readwrite: true, create: false })
    const version = db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0
    if (version > MIGRATIONS.length) throw tooNew(version, MIGRATIONS.length)
    if (version < MIGRATIONS.length) return null
    return { liveTokens: new Tokens(db).countLive(now), operatorSecret: new OperatorSecret(db).exists }
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    if (error.code === "SQLITE_BUSY") return null
    throw unusable(path, error)
  }
}

/** What of a state and its credentials would keep a start from coming up. */
export function stateFaults({ stateDir, ...config }: Pick<Config, "host" | "token" | "stateDir">, now: number): Fault[] {
  try {
    const credentials = credentialsIn(stateDir, now)
    const fault = credentials === null ? null : needsCredential(config, credentials)
    return fault === null ? [] : [fault]
  } catch (error) {
    if (error instanceof StateFault) return [error]
    throw error
  }
}
