/** What is wrong with a configuration and keeps nothing from starting. */
import { printable } from "./fault.ts"

/** An event for the log, where no host path may stand. */
export type Warning =
  | { readonly event: "config_unknown"; readonly variable: string }
  /** @member directory as the log is to name it */
  | { readonly event: "config_not_writable"; readonly directory: string }

/** Names that operators try, and what they are after. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ["SERVERFS_READ_ONLY", "directories are read-only anyway, each unless its own WORKDIR_XX_READ_ONLY is false"],
  ["SERVERFS_OPERATOR_SECRET", "'serverfs operator-secret' sets that secret, and only its hash is kept"],
])

/** What to do about a name that nobody reads. */
export function adviceOn(unknown: string): string {
  const meant = MEANT.get(unknown)
  return meant === undefined ? "rename it or remove it (serverfs --help names what there is)" : `remove it: ${meant}`
}

/** The same for the operator. */
export function warningText(warning: Warning): string {
  if (warning.event === "config_unknown") return printable(`${warning.variable}: there is no such variable, and it does nothing; ${adviceOn(warning.variable)}`)
  return `${warning.directory} is meant to be changed, and this process may not: every change there will be refused; 'serverfs doctor' says what it lacks`
}
