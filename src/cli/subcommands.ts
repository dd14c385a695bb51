/** `serverfs NAME ACTION …`: one table of actions behind a command that has several. */
import { faultLine, printable } from "../config/fault.ts"
import { StateFault } from "../state/state-fault.ts"
import { type Terminal, USAGE } from "./terminal.ts"
import { UsageError } from "./usage-error.ts"

export interface Subcommands<C extends Terminal> {
  /** As it is typed after `serverfs`. */
  readonly name: string
  readonly help: string
  /** Each gives an exit status. What it throws as UsageError is told with the help. */
  readonly actions: Readonly<Record<string, (argv: readonly string[], context: C) => number>>
}

/** @param argv what follows the command's name. Gives the action's exit status, or 2 = not understood or not usable */
export function runSubcommand<C extends Terminal>({ name, help, actions }: Subcommands<C>, argv: readonly string[], context: C): number {
  const { stderr } = context
  const [word = "", ...rest] = argv
  try {
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (action !== undefined) return action(rest, context)
    throw new UsageError(word === "" ? `say ${Object.keys(actions).join(", ")}` : `there is no '${name} ${word}'`)
  } catch (error) {
    if (error instanceof StateFault) stderr.write(`${faultLine(error)}\n`)
    else if (error instanceof UsageError) stderr.write(`${printable(`serverfs ${name}: ${error.message}`)}\n\n${help}`)
    else throw error
    return USAGE
  }
}
