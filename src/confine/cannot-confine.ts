import { ToolError } from "../errors.ts"

/** CONFIGURATION_ERROR for confinement that fails though the kernel offers it, with the operator's way out. */
export function cannotConfine(detail: string): ToolError {
  return new ToolError("CONFIGURATION_ERROR", { detail: `${detail}; SERVERFS_CONFINE=off starts without confinement` })
}
