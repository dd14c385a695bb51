/** The state directory is for its owner alone: whoever can write there can make tokens. */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, realpathSync, statSync, type Stats } from "node:fs"
import { dirname } from "node:path"
import { mountOf, readMounts } from "../config/directories/mounts.ts"
import { systemErrorCode } from "../system-error.ts"
import { StateFault } from "./state-fault.ts"

const OTHERS = 0o077
const WRITABLE = constants.W_OK | constants.X_OK
/** The kernel's own: nobody can make anything in these, though their modes let root. */
const NOT_FOR_FILES: ReadonlySet<string> = new Set(["proc", "sysfs"])

/** What a step gives; a system error becomes a fault that names the directory. */
function attempted<T>(path: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw notUsable(path, systemErrorCode(error))
  }
}

function notUsable(path: string, code: string): StateFault {
  return new StateFault(`${path} can't be made, entered or written to (${code}); name a directory that this user may write to`)
}

function assertPrivate(path: string, stat: Stats): void {
  if (!stat.isDirectory()) throw new StateFault(`${path} is not a directory; name a directory, or remove what is there`)
  const uid = process.geteuid?.()
  if (stat.uid !== uid) {
    throw new StateFault(`${path} belongs to user ${stat.uid} and this process runs as ${uid}; run it as that user, or chown the directory`)
  }
  if ((stat.mode & OTHERS) !== 0) {
    throw new StateFault(`${path} is open to other users (mode ${(stat.mode & 0o7777).toString(8)}); chmod 700 it`)
  }
  attempted(path, () => accessSync(path, WRITABLE))
}

function assertMakeable(path: string): void {
  let above = dirname(path)
  while (!existsSync(above)) above = dirname(above)
  attempted(path, () => accessSync(above, WRITABLE))
  if (NOT_FOR_FILES.has(mountOf(realpathSync(above), readMounts())?.type ?? "")) throw notUsable(path, "ENOENT")
}

/**
 * Makes the directory (0700, missing parents likewise), or checks the one that is there.
 * @throws StateFault when it is not a directory, belongs to another user, is open to others, or can't be written to
 */
export function privateDirectory(path: string): void {
  attempted(path, () => mkdirSync(path, { recursive: true, mode: 0o700 }))
  assertPrivate(path, attempted(path, () => statSync(path)))
}

/** As privateDirectory(), but makes nothing: false when there is none yet and one can be made. */
export function hasPrivateDirectory(path: string): boolean {
  const stat = attempted(path, () => statSync(path, { throwIfNoEntry: false }))
  if (stat === undefined) assertMakeable(path)
  else assertPrivate(path, stat)
  return stat !== undefined
}

/**
 * Makes an empty file (0600) where there is none. SQLite gives its -wal and -shm files the mode of the database.
 * A file that exists is not opened: closing any descriptor of it would drop the fcntl locks that this process holds on it.
 * @throws StateFault when it can't be made, or something else has its name
 */
export function privateFile(path: string): void {
  if (hasFile(path)) return
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600))
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw new StateFault(`${path} can't be made (${systemErrorCode(error)}); check the directory's free space and rights`)
  }
}

/** Whether the file is there. Throws StateFault when something else has its name. */
export function hasFile(path: string): boolean {
  const stat = attempted(path, () => statSync(path, { throwIfNoEntry: false }))
  if (stat?.isFile() === false) throw new StateFault(`${path} is not a file; move it away, and serverfs makes its own`)
  return stat !== undefined
}
