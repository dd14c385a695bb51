/** Where tokens and grants are kept. */
import path from "node:path"
import { type Fault, quote } from "../fault.ts"
import type { Environment } from "../variables/values.ts"
import { absolute, inspectDirectory, type Where } from "./directory.ts"

const NAME = "SERVERFS_STATE_DIR"

/** SERVERFS_STATE_DIR, else `serverfs` in the XDG state home. Absolute; it need not exist yet. null = a fault. */
export function stateDirOf(given: string | null, env: Environment, where: Where, faults: Fault[]): string | null {
  const directory = given === null ? defaultOf(env, where.home) : absolute(given, where)
  if (directory === null) {
    faults.push({ variable: NAME, message: "there is no home directory to keep state in; set this to a directory of the gateway's own" })
    return null
  }
  const inspection = inspectDirectory(directory, NAME, where)
  if (inspection.kind === "unusable") faults.push({ variable: NAME, message: `${quote(directory)} ${inspection.why}; give a directory that is the gateway's own` })
  return directory
}

/** The XDG Base Directory Specification: relative values are to be ignored. */
function defaultOf(env: Environment, home: string | null): string | null {
  const stateHome = env["XDG_STATE_HOME"] ?? ""
  if (path.isAbsolute(stateHome)) return path.join(stateHome, "serverfs")
  return home === null ? null : path.join(home, ".local/state/serverfs")
}
