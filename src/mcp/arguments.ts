/** Raw arguments of a call → the tool's typed input, or INVALID_ARGUMENTS with the argument's name. */
import type { z } from "zod"
import { ToolError } from "../errors.ts"
import { excessOf } from "./bounds.ts"
import { coercionOf } from "./coerce.ts"
import type { JsonSchema } from "./schema.ts"

/** Throws INVALID_ARGUMENTS, in one short sentence. Unknown arguments are dropped, but for misspelt ones. */
export type ArgumentParser = (args: unknown) => Record<string, unknown>

/** Built once for each tool. */
export function argumentParser(input: z.ZodObject, published: JsonSchema): ArgumentParser {
  const coerce = coercionOf(published)
  const names = Object.keys(input.shape)
  const known = { names: new Set(names), plain: new Map(names.map((name) => [plain(name), name])) }
  return (args) => {
    if (typeof args !== "object" || args === null || Array.isArray(args)) throw invalid("the arguments must be one JSON object")
    refuseMany(args)
    refuseMisspelt(args, known)
    const mended = coerce === null ? args : coerce(args)
    if (mended !== args) refuseMany(mended)
    const parsed = parse(input, mended)
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw invalid(`${sentence(issue)}${isMissing(issue) ? misnamed(args, Object.keys(input.shape)) : ""}`)
  }
}

const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, "")

/**
 * An unknown name is ignored (contract §5), but not one that is a known one in another spelling: `dryRun` ignored would be a change that was not
 * meant. @param known names, and the same by their plain spelling
 */
function refuseMisspelt(args: object, known: { readonly names: ReadonlySet<string>; readonly plain: ReadonlyMap<string, string> }): void {
  for (const name in args) {
    if (known.names.has(name)) continue
    const meant = known.plain.get(plain(name))
    if (meant !== undefined && !(meant in args)) throw invalid(`${name} is not an argument of this tool; ${meant} is`)
  }
}

/** True for an argument that was not given: perhaps it was, by another name. */
function isMissing(issue: z.core.$ZodIssue | undefined): boolean {
  return issue?.path.length === 1 && reason(issue) === "is required"
}

const SHOWN_NAMES = 3
const SHOWN_CHARS = 40

/** What was given by names that the tool does not know, and the names that it does; "" when all are known. */
function misnamed(args: object, known: readonly string[]): string {
  const unknown = Object.keys(args).filter((name) => !known.includes(name))
  if (unknown.length === 0) return ""
  const shown = unknown.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name.slice(0, SHOWN_CHARS)).slice(1, -1))
  const more = unknown.length > SHOWN_NAMES ? ` and ${unknown.length - SHOWN_NAMES} more` : ""
  return ` (unknown: ${shown.join(", ")}${more}; there are ${known.join(", ")})`
}

function parse(input: z.ZodObject, args: unknown) {
  try {
    return input.safeParse(args, { reportInput: true })
  } catch {
    // Before it finds that an object is no text, zod compares its `length`, which throws when that is an object with a `toString` of its own.
    throw invalid("an argument is of the wrong type")
  }
}

function invalid(detail: string): ToolError {
  return new ToolError("INVALID_ARGUMENTS", { detail })
}

function refuseMany(value: unknown): void {
  const excess = excessOf(value)
  if (excess !== null) throw invalid(`the arguments hold ${excess}`)
}

const KINDS: Readonly<Record<string, string>> = {
  int: "an integer",
  number: "a number",
  string: "a string",
  boolean: "true or false",
  array: "an array",
  object: "an object",
}

const UNITS: Readonly<Record<string, string>> = { string: " characters long", array: " items long" }

function sentence(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "the arguments are not valid"
  const name = issue.path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("").replace(/^\./, "")
  return name === "" ? reason(issue) : `${name} ${reason(issue)}`
}

function reason(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${KINDS[issue.expected] ?? issue.expected}`
    case "too_small":
      return issue.minimum === 1 && issue.origin in UNITS ? "must not be empty" : `must be at least ${issue.minimum}${UNITS[issue.origin] ?? ""}`
    case "too_big":
      return `must be at most ${issue.maximum}${UNITS[issue.origin] ?? ""}`
    case "invalid_value":
      if (issue.input === undefined) return "is required"
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`
    default:
      return issue.message
  }
}
