/** The command line: which command, with which options, or everything that is wrong with it. */
import { parseArgs } from "node:util"
import { type Fault, quote } from "../config/fault.ts"
import type { ConfigOptions } from "../config/variables/given.ts"
import { nearest } from "../config/variables/nearest.ts"
import { type CommandName, COMMANDS, isCommand } from "./command-table.ts"
import { optionOf, type OptionName, OPTIONS } from "./options.ts"

export interface CommandLine {
  readonly command: CommandName
  /** The command's own arguments, options in them unread. Empty for serve. */
  readonly rest: readonly string[]
  readonly options: ConfigOptions
  readonly check: boolean
  readonly newToken: boolean
  readonly help: boolean
  readonly version: boolean
}

export type Parsed =
  | { readonly ok: true; readonly line: CommandLine }
  /** @member start what was understood, when it was to be a start or its --check; null for any other command */
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly start: Pick<CommandLine, "options" | "check"> | null }

interface OptionToken {
  readonly kind: "option"
  readonly name: string
  readonly rawName: string
  readonly index: number
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

const SUGGESTED_EDITS = 2

function unknown(shown: string, what: string, word: string, known: readonly string[], prefix = ""): Fault {
  const near = nearest(word, known)
  const hint = near && near.edits <= SUGGESTED_EDITS ? `did you mean ${prefix}${near.word}?` : "see --help"
  return { variable: shown, message: `there is no such ${what}; ${hint}` }
}

/** What is wrong with one option as it stands, whatever its value means. */
function faultOf(token: OptionToken): Fault | undefined {
  const option = optionOf(token.name)
  const variable = token.rawName
  if (option === undefined) return unknown(variable, "option", token.name, Object.keys(OPTIONS), "--")
  if (option.type === "boolean") return token.value === undefined ? undefined : { variable, message: `takes no value; write just ${variable}` }
  const dashed = !token.inlineValue && token.value?.startsWith("-")
  if (token.value === undefined || dashed) return { variable, message: `needs a value; write ${variable} ${option.value}` }
  return undefined
}

function twiceFaults(tokens: readonly OptionToken[]): Fault[] {
  const names = tokens.filter(({ name }) => optionOf(name)?.type === "string" && name !== "dir").map(({ name }) => name)
  const twice = new Set(names.filter((name, i) => names.indexOf(name) !== i))
  return [...twice].map((name) => ({ variable: `--${name}`, message: "is given more than once; keep one" }))
}

function configOptions(tokens: readonly OptionToken[]): ConfigOptions {
  const valuesOf = (name: OptionName) => tokens.flatMap((token) => (token.name === name && token.value !== undefined ? [token.value] : []))
  return {
    dirs: valuesOf("dir"),
    envFile: valuesOf("env-file")[0] ?? null,
    host: valuesOf("host")[0] ?? null,
    port: valuesOf("port")[0] ?? null,
  }
}

/** Options about the configuration are taken before and after a command's name, all others before it or with serve. */
export function parseCommandLine(argv: readonly string[]): Parsed {
  const { tokens } = parseArgs({ args: [...argv], options: OPTIONS, strict: false, tokens: true, allowPositionals: true })
  const named = tokens.find((token) => token.kind === "positional")
  const command = named?.value ?? "serve"
  const at = command === "serve" ? argv.length : named?.index ?? argv.length
  const options = tokens.filter((token) => token.kind === "option")
  const ours = options.filter((token) => token.index < at || optionOf(token.name)?.config === true)
  const faults = ours.map(faultOf).filter((each) => each !== undefined)
  const sound = ours.filter((token) => faultOf(token) === undefined)
  const start = { options: configOptions(sound), check: sound.some(({ name }) => name === "check") }
  // What is no command may be the value of an option that is none.
  if (faults.length > 0) return { ok: false, faults, start: command === "serve" || !isCommand(command) ? start : null }
  faults.push(...twiceFaults(ours))
  if (!isCommand(command)) faults.push(unknown(quote(command), "command", command, Object.keys(COMMANDS)))

  const extra = command === "serve" ? tokens.filter((token) => token.kind === "positional").slice(named ? 1 : 0) : []
  faults.push(...extra.map(({ value }) => ({ variable: quote(value), message: "serve takes no arguments; name a directory with --dir ALIAS=PATH[:rw]" })))
  if (faults.length > 0 || !isCommand(command)) return { ok: false, faults, start: command === "serve" ? start : null }

  const read = new Set(ours.flatMap(({ index, value, inlineValue }) => (value === undefined || inlineValue ? [index] : [index, index + 1])))
  const has = (name: OptionName) => ours.some((token) => token.name === name)
  const line: CommandLine = {
    command,
    rest: argv.filter((_, i) => i > at && !read.has(i)),
    ...start,
    newToken: has("new-token"),
    help: has("help"),
    version: has("version"),
  }
  return { ok: true, line }
}
