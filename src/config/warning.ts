/** What is wrong with a configuration and keeps nothing from starting. */
import { printable } from "./fault.ts"

/** An event for the log, where no host path may stand. */
export type Warning =
  | { readonly event: "config_unknown"; readonly variable: string }
  /** @member directory as the log is to name it */
  | { readonly event: "config_not_writable"; readonly directory: string }

/** The same for the operator. */
export function warningText(warning: Warning): string {
  if (warning.event === "config_unknown") return printable(`${warning.variable}: there is no such variable, and it does nothing; rename it or remove it`)
  return `${warning.directory} is meant to be changed, and this process may not: every change there will be refused; 'serverfs doctor' says what it lacks`
}
