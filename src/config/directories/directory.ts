/** Looks at directories that an operator has named, once, at start. Nothing here is reached by a request. */
import { accessSync, constants, lstatSync, opendirSync, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { systemErrorCode } from "../../system-error.ts"
import { SENTINEL } from "./sentinel.ts"

export type Inspection =
  | { readonly kind: "directory"; readonly real: string; readonly sentinel: "none" | "alone" | "beside others" }
  /** `why` goes on from the path: "does not exist". */
  | { readonly kind: "absent" | "unusable"; readonly why: string }

/** Told of what is about to be looked at, and of what names it: whoever keeps time has to know what did not answer. */
export type Watch = (by: string, path: string) => void

export interface Where {
  readonly cwd: string
  /** null or not absolute = unknown; `~` then stands for itself. */
  readonly home: string | null
  readonly watch?: Watch
}

/** The same, with a home directory that is none made unknown. */
export function whereOf({ cwd, home, watch }: Where): Where {
  return { cwd, home: home !== null && path.isAbsolute(home) ? home : null, ...(watch && { watch }) }
}

/** An operator's path made absolute: relative to the current directory, a leading `~/` being the home directory. */
export function absolute(text: string, { cwd, home }: Pick<Where, "cwd" | "home">): string {
  const expanded = home !== null && (text === "~" || text.startsWith("~/")) ? path.join(home, text.slice(1)) : text
  return path.resolve(cwd, expanded)
}

const MODE = /:(?:ro|rw)$/i

/** What would mend a path that can't be used. @param writable how read-write and read-only are asked for here */
export function mendPath(given: string, writable: string): string {
  const mode = MODE.exec(given)?.[0]
  if (mode === undefined) return "give a directory that this process can list"
  return path.basename(given) === mode ? `give the path of a directory, without the ${mode}: ${writable}` : `leave the ${mode} out of the path: ${writable}`
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  ENOTDIR: "does not exist",
  EACCES: "cannot be read by this process",
  EPERM: "cannot be read by this process",
  ELOOP: "is a loop of symbolic links",
  ENOTCONN: "is on a file system that does not answer",
  ESTALE: "is on a file system that does not answer",
}

/** What went wrong, going on from the path. */
export function whyOf(error: unknown): string {
  return WHY[systemErrorCode(error)] ?? `cannot be used (${systemErrorCode(error) || String(error)})`
}

function sentinelIn(directory: string): "none" | "alone" | "beside others" {
  if (lstatSync(path.join(directory, SENTINEL), { throwIfNoEntry: false }) === undefined) return "none"
  const listing = opendirSync(directory)
  try {
    const two = [listing.readSync(), listing.readSync()]
    return two.every((entry) => entry === null || entry.name === SENTINEL) ? "alone" : "beside others"
  } finally {
    listing.closeSync()
  }
}

/** Whether this process may make and remove entries in it. */
export function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Whether this is a directory that can be listed and entered, its real path, and whether it holds the sentinel. Takes as long
 * as its file system likes.
 * @param by the variable or option that names it
 */
export function inspectDirectory(directory: string, by: string, { watch }: Where): Inspection {
  watch?.(by, directory)
  try {
    const real = realpathSync(directory)
    if (!statSync(real).isDirectory()) return { kind: "unusable", why: "is not a directory" }
    accessSync(real, constants.R_OK | constants.X_OK)
    return { kind: "directory", real, sentinel: sentinelIn(real) }
  } catch (error) {
    const why = whyOf(error)
    return { kind: why === WHY["ENOENT"] ? "absent" : "unusable", why }
  }
}
