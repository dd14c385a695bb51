/** `serverfs token`: make, list and revoke named tokens. Works beside a running gateway, which heeds it from the next call on. */
import { printable } from "../../config/fault.ts"
import { withState } from "../../state/with-state.ts"
import { SAME_AS_GATEWAY } from "../same-as-gateway.ts"
import { runSubcommand } from "../subcommands.ts"
import { DONE, FAILED } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import type { TokenContext } from "./token-context.ts"
import { createToken } from "./token-create.ts"
import { listTokens } from "./token-list.ts"

export const HELP = `Usage:
  serverfs token create --name NAME [--mount MOUNT]… [--workdir ALIAS]… [--read-only] [--expires 90d]
  serverfs token list
  serverfs token revoke NAME

A token opens every mount and every workdir unless some are named; --workdir without --mount opens /mcp alone. It may
write wherever the workdir may be written, unless --read-only. It never expires unless --expires says so (m, h, d, w, y).
Its text goes to stdout, this once.

${SAME_AS_GATEWAY}`

/** @param argv what follows `token`. Gives the exit status: 1 = no such token or the name is taken, 2 = not understood or not usable */
export function run(argv: readonly string[], context: TokenContext): number {
  return runSubcommand({ name: "token", help: HELP, actions: { create: createToken, list, revoke } }, argv, context)
}

function list(argv: readonly string[], { stateDir, stdout, stderr, now }: TokenContext): number {
  if (argv.length > 0) throw new UsageError("list takes no arguments")
  const tokens = withState(stateDir, "no token is listed", (state) => state.tokens.list())
  if (tokens.length === 0) stderr.write(`${printable(`There are no named tokens in ${stateDir}.`)}\n`)
  else stdout.write(listTokens(tokens, now))
  return DONE
}

function revoke(argv: readonly string[], { stateDir, stderr }: TokenContext): number {
  const [name, ...more] = argv
  if (name === undefined || more.length > 0) throw new UsageError("revoke takes one name")
  const revoked = withState(stateDir, `nothing is revoked: token '${name}', if there is one, is still good`, (state) => state.tokens.revoke(name))
  const outcome = revoked ? `Token '${name}' is revoked: its next call is refused.` : `serverfs token: there is no token '${name}'`
  stderr.write(`${printable(outcome)}\n`)
  return revoked ? DONE : FAILED
}
