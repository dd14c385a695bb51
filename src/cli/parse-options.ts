/** The options of one command, read strictly. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util"
import { UsageError } from "./usage-error.ts"

/** @throws UsageError for what is not understood, and for a second value of an option that has room for one */
export function parseOptions<const T extends ParseArgsOptionsConfig, P extends boolean>(argv: readonly string[], options: T, allowPositionals: P) {
  const parsed = strictly(argv, options, allowPositionals)
  const single = parsed.tokens.flatMap((token) => (token.kind === "option" && isSingle(options[token.name]) ? [token.name] : []))
  const twice = single.find((name, i) => single.indexOf(name) !== i)
  if (twice !== undefined) throw new UsageError(`--${twice} is given more than once; keep one`)
  return parsed
}

function isSingle(option: ParseArgsOptionsConfig[string] | undefined): boolean {
  return option?.type === "string" && option.multiple !== true
}

function strictly<const T extends ParseArgsOptionsConfig, P extends boolean>(argv: readonly string[], options: T, allowPositionals: P) {
  try {
    return parseArgs({ args: [...argv], options, strict: true, allowPositionals, tokens: true })
  } catch (error) {
    // Some of its messages are of several lines.
    throw new UsageError((error instanceof Error ? error.message : String(error)).replaceAll("\n", " "))
  }
}
