/** The closed table of error codes (contract: one code, one status, one sentence) and the one error class. */

interface ErrorRow {
  /** HTTP status of the REST channel. */
  readonly status: number
  /** What is in the way, when the thrower says nothing more exact. */
  readonly sentence: string
  /** What would work instead. */
  readonly advice?: string
}

export const ERRORS = {
  INVALID_ARGUMENTS: { status: 400, sentence: "an argument is missing, of the wrong type or out of range" },
  WORKDIR_NOT_FOUND: { status: 404, sentence: "no such workdir", advice: "list_workdirs names the ones there are (aliases are case-sensitive)" },
  WORKDIR_READ_ONLY: { status: 403, sentence: "this is read-only here", advice: "only the operator can open it for writing" },
  PATH_OUTSIDE_WORKDIR: { status: 400, sentence: "the path leads outside", advice: "use a path relative to the root, without a leading '/' or '~' and without climbing above it" },
  ACCESS_DENIED: { status: 403, sentence: "the process may not do this here" },
  READ_IO_ERROR: { status: 500, sentence: "the operating system could not read this" },
  RESERVED_PATH: { status: 403, sentence: "this name is reserved for serverfs itself", advice: "choose another name" },
  HIDDEN_PATH_NOT_ALLOWED: { status: 403, sentence: "hidden names (a leading '.') are off here", advice: "only the operator can open them; go on without it" },
  DENIED_PATH: { status: 403, sentence: "the deny rules of this gateway cover this name", advice: "only the operator can open it; go on without it" },
  ROOT_MUTATION_NOT_ALLOWED: { status: 400, sentence: "the root itself cannot be changed", advice: "name something inside it" },
  PATH_NOT_FOUND: { status: 404, sentence: "nothing exists at this path", advice: "list its directory to see what there is" },
  PARENT_NOT_FOUND: { status: 404, sentence: "the parent directory does not exist", advice: "choose a place in a directory that exists, or make that directory first" },
  PATH_ALREADY_EXISTS: { status: 409, sentence: "something already exists at this path" },
  NOT_A_FILE: { status: 400, sentence: "this is a directory, and a file is needed", advice: "list it, and name a file in it" },
  NOT_A_DIRECTORY: { status: 400, sentence: "this is not a directory, and one is needed" },
  SYMLINK_NOT_ALLOWED: { status: 400, sentence: "a symbolic link is in the way; links are not followed", advice: "give a path that has no link in it" },
  UNSUPPORTED_FILE_TYPE: { status: 400, sentence: "this is a FIFO, socket or device", advice: "go on without it: it holds no text" },
  BINARY_FILE: { status: 400, sentence: "this file is binary (it holds a NUL), and only text is served", advice: "its type and size can be looked at; to read or edit it there is no tool" },
  UNSUPPORTED_TEXT_ENCODING: { status: 400, sentence: "this is not valid UTF-8", advice: "its type and size can be looked at; no tool reads or edits another encoding" },
  LINE_TOO_LARGE: { status: 400, sentence: "a line is longer than one answer may be", advice: "page by bytes: call again with start_byte instead of start_line" },
  FILE_CHANGED_DURING_READ: { status: 409, sentence: "the file kept changing while it was read", advice: "try again" },
  SEARCH_TIMEOUT: { status: 504, sentence: "the deadline passed before anything was found", advice: "narrow the search with path or glob" },
  SEARCH_FAILED: { status: 500, sentence: "the search could not be run" },
  RESOURCE_TOO_LARGE: { status: 413, sentence: "the file does not fit one answer", advice: "read it in pages with read_text_file" },
  BINARY_CONTENT_NOT_ALLOWED: { status: 400, sentence: "the text holds a NUL or is not well-formed Unicode" },
  WRITE_TOO_LARGE: { status: 413, sentence: "this is over the write limit", advice: "write less, or split the text over several files" },
  TOO_MANY_EDITS: { status: 400, sentence: "too many edits in one call", advice: "split them over several calls" },
  EDIT_CONFLICT: { status: 409, sentence: "the text to replace is not there as often as expected" },
  REVISION_CONFLICT: { status: 409, sentence: "it has changed since that revision", advice: "call read_text_file to see what changed and for the new revision, then retry" },
  MULTIPLE_HARDLINKS_NOT_SUPPORTED: { status: 409, sentence: "the file has more than one name (hard links), and replacing it would split them", advice: "if the other names may keep the old text, delete this one and create the file anew" },
  METADATA_PRESERVATION_FAILED: { status: 500, sentence: "owner, mode or attributes of the file cannot be reproduced by this process; the file is untouched" },
  DIRECTORY_NOT_EMPTY: { status: 409, sentence: "the directory is not empty (entries you cannot see count too)" },
  FILE_TOO_LARGE: { status: 400, sentence: "the file is over the size limit", advice: "only the operator can raise the limit; go on without it" },
  RESOURCE_EXHAUSTED: { status: 429, sentence: "a limit of this gateway is reached; nothing was done", advice: "wait a moment and try again" },
  WORKDIR_UNAVAILABLE: { status: 503, sentence: "the directory behind this alias does not answer", advice: "try again later; other workdirs are not affected" },
  MUTATION_IO_ERROR: { status: 500, sentence: "the operating system refused the change; nothing was published" },
  INTERNAL_ERROR: { status: 500, sentence: "something unforeseen happened; the log has the detail" },
  CONFIGURATION_ERROR: { status: 500, sentence: "the configuration is not usable" },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

/** What an error may say besides its code: the caller's own inputs, limits, counts, strerror. Never a host path. */
export interface About {
  /** The path as the caller gave it. */
  readonly path?: string | undefined
  /** A sentence that is more exact than the table's. */
  readonly detail?: string | undefined
  /** Advice that is more exact than the table's; "" for none. */
  readonly advice?: string | undefined
  /** What a recursive operation had done when it stopped; the REST body carries it. */
  readonly partial?: Readonly<Record<string, number>> | undefined
  /** It stopped because it was told to, and for no reason of its own. */
  readonly cancelled?: true | undefined
  /** Seconds until a retry can succeed; REST says it as Retry-After. */
  readonly retryAfter?: number | undefined
}

const SHOWN_PATH_CHARS = 300

/** A path of the caller's, cut to what a message has room for. */
export function shownPath(path: string): string {
  return path.length > SHOWN_PATH_CHARS ? `${path.slice(0, SHOWN_PATH_CHARS)}…` : path
}

/** A refusal with a code of the table. Anything else that is thrown becomes INTERNAL_ERROR. */
export class ToolError extends Error {
  override readonly name = "ToolError"
  readonly code: ErrorCode
  readonly about: About

  constructor(code: ErrorCode, about: About = {}) {
    const row: ErrorRow = ERRORS[code]
    const where = about.path === undefined ? "" : `'${shownPath(about.path)}': `
    const advice = about.advice ?? row.advice
    super(`${code}: ${where}${about.detail ?? row.sentence}${advice ? `. To mend it: ${advice}` : ""}`)
    this.code = code
    this.about = about
  }

  /** The same refusal with this advice, unless it came with advice of its own. */
  advised(advice: string | undefined): ToolError {
    return advice === undefined || this.about.advice !== undefined ? this : new ToolError(this.code, { ...this.about, advice })
  }

  /**
   * What a call ends with that was told to stop for this reason. @param thrown what it stopped with: how far it had come is told, and a
   * refusal of its own stays
   */
  ending(thrown: unknown): ToolError {
    if (!(thrown instanceof ToolError)) return this
    const { partial, cancelled } = thrown.about
    if (cancelled !== true) return thrown
    if (partial === undefined) return this
    const done = Object.entries(partial).map(([what, count]) => `${count} ${what}`).join(", ")
    return new ToolError(this.code, { ...this.about, detail: `${this.about.detail ?? ERRORS[this.code].sentence}; ${done} by then`, partial })
  }

  /** HTTP status of the REST channel. */
  get status(): number {
    return ERRORS[this.code].status
  }
}

/** The client went away before the commit point: nobody is left to be answered, and nothing was changed. */
export class Cancelled extends Error {
  override readonly name = "Cancelled"
}
