/** The one errno switch: what the kernel said → a code of the table. */
import { constants } from "node:os"
import { getSystemErrorMap } from "node:util"
import { type ErrorCode, ToolError } from "../errors.ts"

export const E = constants.errno

/** What was being done, which decides the code of the errors that have no code of their own. */
export type Doing = "reading" | "changing"

const messages = getSystemErrorMap()
/** Words for what that map leaves out. */
const MORE_MESSAGES: Readonly<Record<number, string>> = { [E.EDQUOT]: "disk quota exceeded", [E.ESTALE]: "stale file handle" }

/** The system's own words for an errno, never with a path. */
export function strerror(errno: number): string {
  return messages.get(-errno)?.[1] ?? MORE_MESSAGES[errno] ?? `operating system error ${errno}`
}

/** The code for an errno, a positive number. */
export function codeOf(errno: number, doing: Doing): ErrorCode {
  switch (errno) {
    case E.ENOENT: return "PATH_NOT_FOUND"
    case E.EACCES: case E.EPERM: case E.ENAMETOOLONG: return "ACCESS_DENIED"
    case E.ENOTDIR: return "NOT_A_DIRECTORY"
    case E.EISDIR: return "NOT_A_FILE"
    case E.ELOOP: return "SYMLINK_NOT_ALLOWED"
    case E.EEXIST: return "PATH_ALREADY_EXISTS"
    case E.ENOTEMPTY: return "DIRECTORY_NOT_EMPTY"
    // open(2): a socket, or a device without a driver.
    case E.ENXIO: return "UNSUPPORTED_FILE_TYPE"
    case E.EMFILE: case E.ENFILE: case E.ENOMEM: return "RESOURCE_EXHAUSTED"
    case E.ENOTCONN: case E.ESTALE: case E.ENODEV: case E.ETIMEDOUT: case E.EHOSTUNREACH: case E.ECONNABORTED: return "WORKDIR_UNAVAILABLE"
    default: return doing === "reading" ? "READ_IO_ERROR" : "MUTATION_IO_ERROR"
  }
}

/** Codes whose sentence alone would not tell what the system said. */
const WITH_REASON: ReadonlySet<ErrorCode> = new Set(["ACCESS_DENIED", "READ_IO_ERROR", "MUTATION_IO_ERROR", "RESOURCE_EXHAUSTED", "WORKDIR_UNAVAILABLE"])

const NO_RIGHT = "only the operator can give serverfs the right to it (`serverfs doctor` says what it lacks); go on without it"

/**
 * The error for a failed call.
 * @param status what a libc function returned: -errno
 * @param path the path as the caller gave it
 */
export function refusal(status: number, path: string, doing: Doing): ToolError {
  const code = codeOf(-status, doing)
  const advice = status === -E.EACCES || status === -E.EPERM ? NO_RIGHT : undefined
  return new ToolError(code, { path, ...(WITH_REASON.has(code) ? { detail: strerror(-status) } : {}), ...(advice && { advice }) })
}
