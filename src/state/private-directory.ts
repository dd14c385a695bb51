/** The state directory is for its owner alone: whoever can write there can make tokens. */
import { closeSync, constants, existsSync, mkdirSync, openSync, statSync, type Stats } from "node:fs"
import { systemErrorCode } from "../system-error.ts"
import { StateFault } from "./state-fault.ts"

const OTHERS = 0o077

function made(path: string): Stats {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return statSync(path)
  } catch (error) {
    throw new StateFault(`${path} can't be made or entered (${systemErrorCode(error)}); name a directory that this user may write to`)
  }
}

/**
 * Makes the directory (0700, missing parents likewise), or checks the one that is there.
 * @throws StateFault when it is not a directory, belongs to another user, or is open to others
 */
export function privateDirectory(path: string): void {
  const stat = made(path)
  if (!stat.isDirectory()) throw new StateFault(`${path} is not a directory`)
  const uid = process.geteuid?.()
  if (stat.uid !== uid) {
    throw new StateFault(`${path} belongs to user ${stat.uid} and this process runs as ${uid}; run it as that user, or chown the directory`)
  }
  if ((stat.mode & OTHERS) !== 0) {
    throw new StateFault(`${path} is open to other users (mode ${(stat.mode & 0o7777).toString(8)}); chmod 700 it`)
  }
}

/** False when there is none yet, and then makes none. Throws as privateDirectory() does. */
export function hasPrivateDirectory(path: string): boolean {
  if (!existsSync(path)) return false
  privateDirectory(path)
  return true
}

/**
 * Makes an empty file (0600) where there is none. SQLite gives its -wal and -shm files the mode of the database.
 * A file that exists is not opened: closing any descriptor of it would drop the fcntl locks that this process holds on it.
 */
export function privateFile(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600))
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw new StateFault(`${path} can't be made (${systemErrorCode(error)}); check the directory's free space and rights`)
  }
}
