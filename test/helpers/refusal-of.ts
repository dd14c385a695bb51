import { ToolError } from "../../src/errors.ts"

/** The message of the refusal, or "accepted". */
export function refusalOf(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    if (error instanceof ToolError) return error.message
    throw error
  }
  return "accepted"
}
