/** Whatever keeps a start from serving, found without changing anything: asked by the start itself, by --check and by doctor. */
import { asAuditFileFault } from "../audit/audit-file-fault.ts"
import { tryLogFile } from "../audit/log-file.ts"
import { type Credentials, needsCredential } from "../config/credential.ts"
import type { Fault } from "../config/fault.ts"
import type { Loaded } from "../config/load.ts"
import { confinementPlan } from "../confine/confine.ts"
import { credentialsIn } from "../state/credentials.ts"
import { faultsOf } from "./report-failure.ts"

export interface Outlook {
  /** Those of the configuration, and those that show only when what it names is looked at. */
  readonly faults: readonly Fault[]
  /** null = not known. */
  readonly credentials: Credentials | null
}

/** @param now milliseconds since the epoch */
export function outlookOf(loaded: Loaded, now: number): Outlook {
  const faults: Fault[] = loaded.ok ? [] : [...loaded.faults]
  if (loaded.means === null) return { faults, credentials: null }
  const { stateDir, auditFile, ...listening } = loaded.means
  // What is at fault already need not be looked at: it would be told twice.
  const known = new Set(faults.map(({ variable }) => variable))

  const credentials = stateDir === null || known.has("SERVERFS_STATE_DIR") ? null : noted(faults, () => credentialsIn(stateDir, now))
  if (auditFile !== null && !known.has("SERVERFS_AUDIT_FILE")) noted(faults, () => asAuditFileFault(() => tryLogFile(auditFile)))
  const missing = credentials && needsCredential(listening, credentials)
  if (loaded.ok) noted(faults, () => confinementPlan(loaded.config))
  return { faults: missing ? [...faults, missing] : faults, credentials }
}

/** What the step gives; null when it ends with a fault. */
function noted<T>(faults: Fault[], step: () => T): T | null {
  try {
    return step()
  } catch (error) {
    const found = faultsOf(error)
    if (found === null) throw error
    faults.push(...found)
    return null
  }
}
