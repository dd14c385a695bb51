/** What --check prints: the configuration in force, for the operator, who may see host paths; never a secret. */
import type { Config, PolicyConfig } from "../config/config.ts"
import { printable } from "../config/fault.ts"
import type { Given } from "../config/values.ts"
import { type Variable, VARIABLES } from "../config/variables.ts"

function policyText(policy: PolicyConfig): string {
  const parts = [
    policy.allowHidden ? "hidden names shown" : "",
    policy.disableDefaultDeny ? "built-in deny rules off" : "",
    policy.extraDenyGlobs.length > 0 ? `denied besides: ${policy.extraDenyGlobs.join(", ")}` : "",
  ].filter((part) => part !== "")
  return parts.length === 0 ? "" : `  (${parts.join("; ")})`
}

function access(readOnly: boolean): string {
  return readOnly ? "read-only " : "read-write"
}

function variableLine(name: string, variable: Variable<unknown>, given: Given | undefined, config: Config): string {
  if (given !== undefined) {
    const shown = variable.kind.secret === "always" ? "(set, not shown)" : given.text
    return `${name} = ${shown}${given.by === name ? "" : `  (${given.by})`}`
  }
  const fallback = name === "SERVERFS_STATE_DIR" ? config.stateDir : variable.default
  return `${name} = ${fallback === "" ? "(not set)" : `${fallback}  (default)`}`
}

/** NAME = value a line, then what is served, without a newline at its end. */
export function checkReport(config: Config, given: Readonly<Record<string, Given>>): string {
  const width = Math.max(0, ...config.workdirs.map(({ alias }) => alias.length))
  const workdirs = config.workdirs.map(({ alias, readOnly, root, policy }) => (
    `  ${alias.padEnd(width)}  ${access(readOnly)}  ${root}${policyText(policy)}`
  ))
  const { files } = config
  return [
    ...Object.entries(VARIABLES).map(([name, variable]) => variableLine(name, variable, given[name], config)),
    "",
    `workdirs on /mcp: ${config.workdirs.length}${config.zeroConfig ? " (nothing is configured: the current directory)" : ""}`,
    ...workdirs,
    files === null ? "Files on /files-mcp: off" : `Files on /files-mcp: ${access(files.readOnly).trim()} ${files.root}`,
  ].map(printable).join("\n")
}
