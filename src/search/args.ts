/** The command line of one search. Pure, so that a test can hold every word of it. */
import type { Policy } from "../workdir/policy.ts"
import { RESERVED_GLOBS } from "../workdir/reserved.ts"
import { excludeGlob } from "./exclude-glob.ts"
import { behindBom } from "./line-start.ts"

export interface SearchQuery {
  /** Without a newline or NUL; a literal unless `regex`. */
  readonly query: string
  readonly regex: boolean
  readonly caseSensitive: boolean
  /** ripgrep's own kind; "" is no filter. */
  readonly glob: string
  readonly includeIgnored: boolean
}

export interface SearchBounds {
  /** Larger files are left out. */
  readonly maxFileBytes: number
  /** Matching lines after which ripgrep leaves a file: its answer for one file is held in memory until the file is done. */
  readonly maxLinesPerFile: number
}

/** Version control keeps its store in these; never searched. */
const VCS_DIRECTORIES = [".git", ".hg", ".svn"]

/** For a search that begins in or below one, where no glob of ripgrep's sees its name. */
export function isVersionControl(directory: string): boolean {
  return VCS_DIRECTORIES.includes(directory)
}

/**
 * One record a matching line: path NUL line ":" offset ":" rest newline. `--max-columns=1` keeps the line itself out of
 * it, however long it is: the text is read by the lane. Measured four times as fast as --json, which prints the line
 * and every match in it.
 */
const RECORDS = ["--no-heading", "--with-filename", "--null", "--line-number", "--byte-offset", "--max-columns=1", "--color=never"]

/** ripgrep's defaults allow 100 MB and 1 GB. */
const REGEX_BOUNDS = ["--regex-size-limit=16M", "--dfa-size-limit=64M"]

/** Ignore files above the searched directory, the user's own and the repository's private one never count. */
const OWN_IGNORE_FILES = ["--no-ignore-parent", "--no-ignore-global", "--no-ignore-exclude", "--no-require-git", "--no-ignore-messages"]

/** Everything but the pattern that decides which files are opened, strongest last: a later glob wins over an earlier one. */
function globs(glob: string, policy: Policy): string[] {
  // A whitelisting glob, the caller's or one in an ignore file, would release hidden names: hence `.*` as a glob too.
  const names = [...(policy.allowHidden ? [] : [".*"]), ...VCS_DIRECTORIES.map((name) => `${name}/`), ...RESERVED_GLOBS]
  const denied = policy.denyGlobs.map(excludeGlob).filter((each) => each !== null)
  const excluded = [...names, ...denied].map((each) => `--glob=!${each}`)
  return glob === "" ? excluded : [`--glob=${glob}`, ...excluded]
}

/** Arguments for ripgrep 15, whose working directory is the directory to search. */
export function ripgrepArgs(search: SearchQuery, policy: Policy, bounds: SearchBounds): string[] {
  return [
    "--no-config",
    ...RECORDS,
    "--encoding=none",
    "--no-mmap",
    "--no-follow",
    policy.allowHidden ? "--hidden" : "--no-hidden",
    ...(search.includeIgnored ? ["--no-ignore"] : OWN_IGNORE_FILES),
    `--max-filesize=${bounds.maxFileBytes}`,
    `--max-count=${bounds.maxLinesPerFile}`,
    search.caseSensitive ? "--case-sensitive" : "--ignore-case",
    ...(search.regex ? ["--crlf", ...REGEX_BOUNDS] : ["--fixed-strings"]),
    ...globs(search.glob, policy),
    "--",
    search.regex ? behindBom(search.query) : search.query,
    ".",
  ]
}
