/** `serverfs operator-secret`: sets the secret that opens the consent page. It never comes from the command line, which others can see. */
import { faultLine } from "../../config/fault.ts"
import { MAX_SECRET_CHARS, MIN_SECRET_CHARS } from "../../state/operator-secret.ts"
import { StateFault } from "../../state/state-fault.ts"
import { openState } from "../../state/state.ts"
import { failedUse } from "../../state/with-state.ts"
import { SAME_AS_GATEWAY } from "../same-as-gateway.ts"
import { DONE, FAILED, type Terminal, USAGE } from "../terminal.ts"
import { pipedSecret, promptSecret, type SecretSource } from "./read-secret.ts"

export interface OperatorSecretContext extends Terminal, SecretSource {
  readonly stateDir: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

export const HELP = `Usage:
  serverfs operator-secret             set it: asked for twice, or read from a pipe
  serverfs operator-secret --remove    remove it, which turns OAuth off at the next start

With an operator secret and a public https URL the gateway lets OAuth clients such as ChatGPT and Claude connect: whoever
knows the secret decides on the consent page what they may do. At least ${MIN_SECRET_CHARS} characters; a few random words do well.

${SAME_AS_GATEWAY}`

/** @param argv what follows `operator-secret`. Gives the exit status: 1 = nothing was changed, 2 = not understood or not usable */
export async function run(argv: readonly string[], context: OperatorSecretContext): Promise<number> {
  const { stderr } = context
  const [option, ...more] = argv
  try {
    if (option === undefined) return await set(context)
    if (option === "--remove" && more.length === 0) return remove(context)
  } catch (error) {
    const fault = failedUse(context.stateDir, "the operator secret is as it was", error)
    if (!(fault instanceof StateFault)) throw error
    stderr.write(`${faultLine(fault)}\n`)
    return USAGE
  }
  // What was given is not repeated: it may be the secret.
  stderr.write(`serverfs operator-secret: takes no arguments but --remove; the secret is asked for, or read from a pipe\n\n${HELP}`)
  return USAGE
}

async function set(context: OperatorSecretContext): Promise<number> {
  const { stateDir, stderr, now } = context
  // Faults of the state come before somebody has typed anything.
  using state = openState(stateDir)
  const secret = await newSecret(context)
  const fault = secret === null ? "nothing was changed" : faultOf(secret)
  if (secret === null || fault !== null) {
    stderr.write(`serverfs operator-secret: ${fault}\n`)
    return FAILED
  }
  const first = !state.operatorSecret.exists
  await state.operatorSecret.set(secret, now)
  stderr.write(`The operator secret is set, and counts from the next try on.${first ? " A gateway that is running has to be started again for OAuth to be on." : ""}\n`)
  return DONE
}

async function newSecret(context: OperatorSecretContext): Promise<string | null> {
  if (!context.stdin.isTTY) return pipedSecret(context)
  const secret = await promptSecret("New operator secret: ", context)
  const fault = secret === null ? null : faultOf(secret)
  if (secret === null || fault !== null) return secret
  if ((await promptSecret("Once more: ", context)) === secret) return secret
  context.stderr.write("serverfs operator-secret: the two are not the same\n")
  return null
}

function faultOf(secret: string): string | null {
  if (secret.length < MIN_SECRET_CHARS) return `it must have at least ${MIN_SECRET_CHARS} characters`
  if (secret.length > MAX_SECRET_CHARS) return `it may have at most ${MAX_SECRET_CHARS} characters`
  return /[\u0000-\u001f\u007f]/.test(secret) ? "it may not hold control characters, line ends among them" : null
}

function remove({ stateDir, stderr }: OperatorSecretContext): number {
  using state = openState(stateDir)
  const removed = state.operatorSecret.remove()
  stderr.write(removed ? "The operator secret is removed: nobody can grant anything any more. What was granted stays; see 'serverfs grants'.\n" : "serverfs operator-secret: none was set\n")
  return removed ? DONE : FAILED
}
