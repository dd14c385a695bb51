import { FaultError } from "../config/fault-error.ts"
import { systemErrorCode } from "../system-error.ts"

/** Does what opens the audit file. @throws FaultError in place of what that throws */
export function asAuditFileFault(open: () => void): void {
  try {
    open()
  } catch (error) {
    throw new FaultError("SERVERFS_AUDIT_FILE", `it can't be opened for appending (${reasonOf(error)}); name a regular file, or a new one, that this process may write to`)
  }
}

function reasonOf(error: unknown): string {
  const code = systemErrorCode(error)
  if (code === "ELOOP") return "it is a symbolic link"
  return code || (error instanceof Error ? error.message : "unknown")
}
