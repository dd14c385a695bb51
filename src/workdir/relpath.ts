/** A caller's path as a list of names: pure string work, no filesystem (contract §3). */
import { shownPath, ToolError } from "../errors.ts"

/** Limits of Linux: PATH_MAX without its NUL is what we take whole, NAME_MAX for one name (limits.h). */
export const MAX_PATH_BYTES = 4096
export const MAX_NAME_BYTES = 255

class RelPathValue {
  /** Distinguishes this class from a look-alike: only parsePath makes one. */
  readonly #made = true
  /** As the caller wrote it, for messages. */
  readonly given: string
  /** Normalised names from the root down; empty = the root. */
  readonly components: readonly string[]

  constructor(given: string, components: readonly string[]) {
    this.given = given
    this.components = components
  }

  static is(value: unknown): value is RelPathValue {
    return typeof value === "object" && value !== null && #made in value
  }
}

export type RelPath = RelPathValue

/** Whether a text has no more than `limit` bytes. */
export function fits(text: string, limit: number): boolean {
  // A UTF-16 unit is at most three bytes of UTF-8.
  return text.length * 3 <= limit || Buffer.byteLength(text) <= limit
}

/** Throws ACCESS_DENIED for what no filesystem could take. Shared by every path grammar. */
export function checkText(given: string): void {
  if (given.includes("\0")) throw new ToolError("ACCESS_DENIED", { detail: "the path holds a NUL" })
  if (!given.isWellFormed()) throw new ToolError("ACCESS_DENIED", { detail: "the path holds a lone surrogate, which no file name can" })
  if (!fits(given, MAX_PATH_BYTES)) throw new ToolError("ACCESS_DENIED", { detail: `the path is over ${MAX_PATH_BYTES} bytes` })
  for (const name of given.split("/")) {
    if (!fits(name, MAX_NAME_BYTES)) throw new ToolError("ACCESS_DENIED", { detail: `a name in the path is over ${MAX_NAME_BYTES} bytes` })
  }
}

/** Advice to leave out how a path begins. @param rest what comes after that */
export function leaveOut(beginning: string, rest: string): string {
  const relative = rest.replace(/^\/+/, "")
  return `leave out ${beginning}; ${relative === "" ? "the root is the empty path" : `for example '${shownPath(relative)}'`}`
}

/**
 * Text → RelPath. `..` is lexical; empty and `.` segments are dropped; nothing is trimmed, folded or decoded.
 * Throws ACCESS_DENIED (NUL, lone surrogate, too long) or PATH_OUTSIDE_WORKDIR (absolute, `~`, climbing above the root).
 */
export function parsePath(given: string): RelPath {
  checkText(given)
  // Most who write an absolute path mean one from the root of the workdir on.
  if (given.startsWith("/")) throw new ToolError("PATH_OUTSIDE_WORKDIR", { path: given, advice: leaveOut("the leading '/'", given) })
  if (given.startsWith("~")) throw new ToolError("PATH_OUTSIDE_WORKDIR", { path: given })
  const components: string[] = []
  for (const name of given.split("/")) {
    if (name === "" || name === ".") continue
    if (name !== "..") components.push(name)
    else if (components.pop() === undefined) throw new ToolError("PATH_OUTSIDE_WORKDIR", { path: given })
  }
  return new RelPathValue(given, components)
}

/** True for a value that parsePath made. */
export const isRelPath = RelPathValue.is
