import { ToolError } from "../errors.ts"

/** True for a refusal that concerns one entry alone, so that a walk may leave the entry out; not for what stops everything. */
export function isAboutOneEntry(error: unknown): boolean {
  return error instanceof ToolError && error.code !== "RESOURCE_EXHAUSTED" && error.code !== "WORKDIR_UNAVAILABLE"
}
