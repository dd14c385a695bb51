/** What --help prints: all of it from the tables of commands, options and variables. */
import { SLOT_VARIABLES, type Variable, VARIABLES } from "../config/variables/variables.ts"
import { COMMANDS } from "./command-table.ts"
import { type Option, OPTIONS } from "./options.ts"

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}

function optionRow([name, { short, value, meaning }]: [string, Option]): [string, string] {
  return [`${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`, meaning]
}

function variableRow(prefix: string): (entry: [string, Variable<unknown>]) => [string, string] {
  return ([name, variable]) => [`${prefix}${name}`, `${variable.meaning}${variable.default === "" ? "" : ` (${variable.default})`}`]
}

/** The whole help, without a newline at its end. */
export function helpText(version: string): string {
  return [
    `serverfs ${version}: serves named directories of this machine to AI agents over MCP, and nothing else.`,
    "",
    "Usage: serverfs [COMMAND] [OPTION]…",
    "Without any configuration it serves the current directory (not the home, one around it, or /), read-only, on loopback.",
    "",
    "Commands (COMMAND --help says more):",
    ...columns(Object.entries(COMMANDS)),
    "",
    "Options:",
    ...columns(Object.entries(OPTIONS).map(optionRow)),
    "",
    "Environment (the default in brackets; an empty value is the default):",
    ...columns([
      ...Object.entries(SLOT_VARIABLES).map(variableRow("WORKDIR_XX_")),
      ...Object.entries(VARIABLES).map(variableRow("")),
    ]),
    "",
    "XX is 01 to 16. .env.example explains each of them.",
  ].join("\n")
}
