/** The one way to open a database of the state directory. */
import { Database, SQLiteError } from "bun:sqlite"
import { privateFile } from "./private-directory.ts"
import { unusable } from "./state-fault.ts"

/** Opens it, made empty where there is none. Throws StateFault. */
export function openDatabase(path: string): Database {
  privateFile(path)
  try {
    return new Database(path)
  } catch (error) {
    throw error instanceof SQLiteError ? unusable(path, error) : error
  }
}
