/** Raw arguments of a call → the tool's typed input, or INVALID_ARGUMENTS with the argument's name. */
import type { z } from "zod"
import { ToolError } from "../errors.ts"
import { argumentNames, misnamed, pathText, refuseMisspelt } from "./argument-names.ts"
import { excessOf } from "./bounds.ts"
import { coercionOf } from "./coerce.ts"
import { NO_JSON } from "./parse-json.ts"
import type { JsonSchema } from "./schema.ts"

/** Throws INVALID_ARGUMENTS, in one short sentence. Unknown arguments are dropped, but for misspelt ones. @param args undefined for a body that is no JSON */
export type ArgumentParser = (args: unknown) => Record<string, unknown>

/** Built once for each tool. */
export function argumentParser(input: z.ZodObject, published: JsonSchema): ArgumentParser {
  const coerce = coercionOf(published)
  const names = argumentNames(published)
  return (args) => {
    if (args === undefined) throw invalid(NO_JSON)
    if (typeof args !== "object" || args === null || Array.isArray(args)) throw invalid("the arguments must be one JSON object")
    refuseMany(args)
    // Of an object, it makes an object.
    const mended = coerce === null ? args : (coerce(args) as object)
    if (mended !== args) refuseMany(mended)
    refuseMisspelt(mended, names)
    const parsed = parse(input, mended)
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw invalid(`${sentence(issue)}${isMissing(issue) ? misnamed(mended, names, issue.path) : ""}`)
  }
}

/** True for an argument that was not given: perhaps it was, by another name. */
function isMissing(issue: z.core.$ZodIssue | undefined): issue is z.core.$ZodIssue {
  return issue !== undefined && reason(issue) === "is required"
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
  const name = pathText(issue.path)
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
