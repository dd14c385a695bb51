/** What the program keeps between runs: one SQLite database in a directory that is its owner's alone. */
import { Database } from "bun:sqlite"
import { join } from "node:path"
import { STATE_FILE } from "../config/directories/state-files.ts"
import { Clients } from "./clients.ts"
import { Codes } from "./codes.ts"
import { databaseFault } from "./database-fault.ts"
import { Grants } from "./grants.ts"
import { migrate } from "./migrate.ts"
import { OperatorSecret } from "./operator-secret.ts"
import { PATIENTLY } from "./patience.ts"
import { privateDirectory, privateFile } from "./private-directory.ts"
import { TokenPairs } from "./token-pairs.ts"
import { Tokens } from "./tokens.ts"

export interface State extends Disposable {
  readonly tokens: Tokens
  readonly operatorSecret: OperatorSecret
  readonly clients: Clients
  readonly grants: Grants
  readonly codes: Codes
  readonly tokenPairs: TokenPairs
}

/** Temporary tables stay in memory: the kernel confinement leaves no other directory to write to. FULL: a revocation survives a power cut. */
const SETTINGS = [
  PATIENTLY,
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
  const path = join(directory, STATE_FILE)
  privateFile(path)
  const db = opened(path)
  try {
    for (const setting of SETTINGS) db.run(setting)
    migrate(db)
    const [grants, tokenPairs] = [new Grants(db), new TokenPairs(db)]
    return {
      tokens: new Tokens(db),
      operatorSecret: new OperatorSecret(db),
      clients: new Clients(db),
      grants,
      codes: new Codes(db, grants, tokenPairs),
      tokenPairs,
      [Symbol.dispose]: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw databaseFault(path, error)
  }
}

function opened(path: string): Database {
  try {
    return new Database(path)
  } catch (error) {
    throw databaseFault(path, error)
  }
}
