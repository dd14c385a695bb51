/** The path grammar of the Files service (contract §6): pure string work, no filesystem. The root's own path never leaves it. */
import { ToolError } from "../errors.ts"
import { checkText } from "./relpath.ts"

const INSIDE = "use a path inside the root, such as sub/file.txt; the root is '.'"
/** Most who write an absolute path mean one from the root on. It is not said back, since it may tell where the root is. */
const WITHOUT_SLASH = "leave out the leading '/', as in sub/file.txt; the root is '.'"

class FilesPathValue {
  /** Distinguishes this class from a look-alike: only parseFilesPath makes one. */
  readonly #made = true
  /** For messages: as the caller wrote it; relative where that held the root. */
  readonly given: string
  /** From the root down: names, and `..` where the caller wrote one, since what it leads to depends on links. */
  readonly steps: readonly string[]

  constructor(given: string, steps: readonly string[]) {
    this.given = given
    this.steps = steps
  }

  static is(value: unknown): value is FilesPathValue {
    return typeof value === "object" && value !== null && #made in value
  }
}

export type FilesPath = FilesPathValue
/** True for a value that parseFilesPath made. */
export const isFilesPath = FilesPathValue.is

/** Names of a path and its `..`; empty and `.` segments mean nothing. */
export function segments(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".")
}

/**
 * What an absolute path says from the root on; null when it never reaches it, all components of one of whose paths it has to
 * repeat. Up to there `..` is lexical, since nothing out there is looked at.
 */
export function stepsBelow(path: string, ...roots: readonly string[]): string[] | null {
  const goals = roots.map(segments)
  const reached: string[] = []
  const all = segments(path)
  for (const [index, name] of all.entries()) {
    if (name === "..") reached.pop()
    else reached.push(name)
    if (goals.some((goal) => reached.length === goal.length && goal.every((each, at) => each === reached[at]))) return all.slice(index + 1)
  }
  return null
}

/** The steps from the root; null when the text alone leads outside, even if it would come back. */
function stepsOf(given: string, roots: readonly string[]): string[] | null {
  const home = given === "~" || given.startsWith("~/")
  const steps = given.startsWith("/") ? stepsBelow(given, ...roots) : segments(home ? given.slice(1) : given)
  return steps === null || climbs(steps) ? null : steps
}

/** True when `..`, taken lexically, goes above the root. */
function climbs(steps: readonly string[]): boolean {
  let depth = 0
  for (const step of steps) {
    depth += step === ".." ? -1 : 1
    if (depth < 0) return true
  }
  return false
}

/**
 * Text → FilesPath. Relative to the root, absolute inside it, or `~` for the root itself.
 * Throws INVALID_ARGUMENTS (empty, NUL), ACCESS_DENIED (lone surrogate, too long) or PATH_OUTSIDE_WORKDIR.
 * @param roots absolute paths of the root, the real one among them
 */
export function parseFilesPath(given: string, ...roots: readonly string[]): FilesPath {
  if (given === "") throw new ToolError("INVALID_ARGUMENTS", { detail: "the path is empty", advice: INSIDE })
  if (given.includes("\0")) throw new ToolError("INVALID_ARGUMENTS", { detail: "the path holds a NUL" })
  const steps = stepsOf(given, roots)
  const absolute = given.startsWith("/")
  const shown = !absolute ? given : steps === null ? undefined : steps.join("/") || "."
  checkText(shown ?? given)
  if (steps === null) throw new ToolError("PATH_OUTSIDE_WORKDIR", { path: shown, advice: absolute ? WITHOUT_SLASH : INSIDE })
  return new FilesPathValue(shown ?? given, steps)
}

/** PATH_OUTSIDE_WORKDIR, in the words of this service. */
export function outside(given: string | undefined, detail?: string): ToolError {
  return new ToolError("PATH_OUTSIDE_WORKDIR", { path: given, detail, advice: INSIDE })
}

/**
 * What the audit says of a path, refused ones included: relative to the root, or `(outside)` (contract §8). A `..` after a
 * name stays, since without looking nobody can tell what it leads to: dropping it would let a link forge the record.
 */
export function auditedPath(given: string, ...roots: readonly string[]): string {
  return stepsOf(given, roots)?.join("/").replace(/^$/, ".") ?? "(outside)"
}

/** The path of a result as the audit says it: links on the way followed. */
export function relativeToRoot(absolute: string, root: string): string {
  return absolute.slice(root.length + 1) || "."
}
