/** The credentials that a start would find. Looks only: nothing is made or written, and nothing is brought to a newer schema. */
import { constants, Database } from "bun:sqlite"
import { join } from "node:path"
import type { Credentials } from "../config/credential.ts"
import { LOCK_FILE, STATE_FILE } from "../config/directories/state-files.ts"
import { databaseFault } from "./database-fault.ts"
import { assertKnownVersion, versionOf } from "./migrate.ts"
import { MIGRATIONS } from "./migrations.ts"
import { OperatorSecret } from "./operator-secret.ts"
import { PATIENTLY } from "./patience.ts"
import { hasFile, hasPrivateDirectory } from "./private-directory.ts"
import { Tokens } from "./tokens.ts"

const NONE: Credentials = { liveTokens: 0, expiredTokens: 0, operatorSecret: false }

/** null = not known: the database is of an older version. Throws StateFault as openState() does. */
export function credentialsIn(stateDir: string, now: number): Credentials | null {
  if (!hasPrivateDirectory(stateDir)) return NONE
  hasFile(join(stateDir, LOCK_FILE))
  const path = join(stateDir, STATE_FILE)
  if (!hasFile(path)) return NONE
  try {
    using db = openToLook(path)
    const version = versionOf(db)
    assertKnownVersion(version)
    if (version === 0) return NONE
    if (version < MIGRATIONS.length) return null
    const tokens = new Tokens(db)
    const liveTokens = tokens.countLive(now)
    return { liveTokens, expiredTokens: tokens.list().length - liveTokens, operatorSecret: new OperatorSecret(db).exists }
  } catch (error) {
    throw databaseFault(path, error)
  }
}

/** Without a write-ahead log all is in the file itself; said to be immutable, it is read without making a log. */
function openToLook(path: string): Database {
  const uri = `file:${path.split("/").map(encodeURIComponent).join("/")}`
  const db = new Database(hasFile(`${path}-wal`) ? uri : `${uri}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI)
  db.run(PATIENTLY)
  return db
}
