/** One running gateway a state directory. Commands such as `serverfs token` don't take this lock, so they work beside it. */
import { Database, SQLiteError } from "bun:sqlite"
import { join } from "node:path"
import { LOCK_FILE } from "../config/directories/state-files.ts"
import { hasFile, privateDirectory, privateFile } from "./private-directory.ts"
import { StateFault } from "./state-fault.ts"

/**
 * Takes the lock, or says who can't have it. The kernel gives it back when the process ends, however it ends.
 * It is SQLite's own exclusive (fcntl) lock on an empty database: held by a transaction that never writes,
 * so there is nothing to roll back and no process id to go stale.
 * Take it before openState(), which may migrate what another gateway is using.
 * @throws StateFault when another gateway holds it, or nobody can
 */
export function lockGateway(directory: string): Disposable {
  privateDirectory(directory)
  const path = join(directory, LOCK_FILE)
  privateFile(path)
  try {
    const db = locked(path)
    return { [Symbol.dispose]: () => db.close() }
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error
    if (error.code !== "SQLITE_BUSY") throw new StateFault(`${path} can't be locked (${error.message}); move it away, and serverfs makes its own`)
    throw new StateFault(`another serverfs is running on ${directory}; stop it, or give this one a directory of its own`)
  }
}

/** Whether a gateway ever ran on this directory. */
export function hasRun(directory: string): boolean {
  return hasFile(join(directory, LOCK_FILE))
}

function locked(path: string): Database {
  const db = new Database(path)
  try {
    db.run("BEGIN EXCLUSIVE")
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
