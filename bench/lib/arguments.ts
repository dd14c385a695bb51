/** What `bun run bench` was asked for; ends the process, with its usage, for what it does not understand. */
import { tmpdir } from "node:os"
import { parseOptions } from "../../src/cli/parse-options.ts"

const OPTIONS = {
  help: { type: "boolean", short: "h" },
  tree: { type: "string" },
  scratch: { type: "string" },
  pairs: { type: "string" },
  calls: { type: "string" },
  "long-run": { type: "string" },
} as const

export interface BenchArguments {
  /** All of them when none is named. */
  readonly groups: readonly string[]
  readonly tree: string | undefined
  readonly scratch: string
  readonly pairs: number
  readonly calls: number
  readonly longRun: number
}

export function benchArguments(argv: readonly string[], known: readonly string[]): BenchArguments {
  const usage = `Usage: bun run bench -- [GROUP …] [--tree DIR] [--pairs 5] [--calls 4000] [--long-run 100000] [--scratch DIR]

Groups (all of them when none is named): ${known.join(", ")}.
bench/README.md says what each compares with what.`
  try {
    const { values, positionals: groups } = parseOptions(argv, OPTIONS, true)
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    const unknown = groups.find((name) => !known.includes(name))
    if (unknown !== undefined) throw new Error(`there is no group '${unknown}'`)
    const { tree, scratch = tmpdir(), pairs = "5", calls = "4000", "long-run": longRun = "100000" } = values
    return { groups: groups.length === 0 ? known : groups, tree, scratch, pairs: count("pairs", pairs), calls: count("calls", calls), longRun: count("long-run", longRun) }
  } catch (error) {
    console.error(`bench: ${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

function count(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`--${name}: '${text}' is not a number from 1 on`)
  return Number(text)
}
