/** The options of the command line: one table behind parsing and --help. */
export interface Option {
  readonly type: "string" | "boolean"
  readonly short?: string
  /** For --help: what stands after the name. */
  readonly value?: string
  readonly meaning: string
  /** Says what the configuration is: every command takes it, before or after its own name. */
  readonly config?: true
}

export const OPTIONS = {
  dir: { type: "string", value: "ALIAS=PATH[:rw]", meaning: "serve this directory, read-only unless :rw; may be repeated", config: true },
  "env-file": { type: "string", value: "PATH", meaning: "read variables from this file; the environment wins over it", config: true },
  host: { type: "string", value: "ADDRESS", meaning: "overrides SERVERFS_HOST", config: true },
  port: { type: "string", value: "N", meaning: "overrides SERVERFS_PORT", config: true },
  check: { type: "boolean", meaning: "print the effective configuration and exit with 0, or 2 when it is not usable" },
  "new-token": { type: "boolean", meaning: "make a new first token in place of a lost one" },
  help: { type: "boolean", short: "h", meaning: "print this" },
  version: { type: "boolean", short: "v", meaning: "print the version" },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS

export function optionOf(name: string): Option | undefined {
  return Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined
}
