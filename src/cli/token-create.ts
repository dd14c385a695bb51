/** `serverfs token create`. */
import { parseArgs } from "node:util"
import { isAlias } from "../config/alias.ts"
import { tokenNameFault } from "../state/token-name.ts"
import { openState } from "../state/state.ts"
import type { TokenRights } from "../state/tokens.ts"
import { parseDuration } from "./duration.ts"
import { DONE, FAILED } from "./terminal.ts"
import type { Served, TokenContext } from "./token-context.ts"
import { rightsText } from "./token-list.ts"
import { UsageError } from "./usage-error.ts"

interface Request {
  readonly name: string
  readonly rights: TokenRights
}

const MOUNT = /^\/[A-Za-z0-9_-]+$/
const OPTIONS = {
  name: { type: "string" },
  mount: { type: "string", multiple: true },
  workdir: { type: "string", multiple: true },
  "read-only": { type: "boolean" },
  expires: { type: "string" },
} as const

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function requestOf(argv: readonly string[], now: number): Request {
  const { name, mount, workdir, "read-only": readOnly = false, expires } = parse(argv)
  if (name === undefined) throw new UsageError("--name is missing")
  const nameFault = tokenNameFault(name)
  if (nameFault !== null) throw new UsageError(`--name: '${name}' ${nameFault}`)
  const badMount = mount?.find((each) => !MOUNT.test(each))
  if (badMount !== undefined) throw new UsageError(`--mount: '${badMount}' is not a mount such as /mcp`)
  const badAlias = workdir?.find((each) => !isAlias(each))
  if (badAlias !== undefined) throw new UsageError(`--workdir: '${badAlias}' is not an alias`)
  const lifetime = expires === undefined ? null : parseDuration(expires)
  if (expires !== undefined && lifetime === null) throw new UsageError(`--expires: '${expires}' is not a duration such as 90d`)
  const rights = {
    // Workdirs are of /mcp alone: naming some must not leave another mount wide open.
    mounts: mount ? [...new Set(mount)] : workdir ? ["/mcp"] : null,
    workdirs: workdir ? [...new Set(workdir)] : null,
    readOnly,
    expires: lifetime === null ? null : now + lifetime,
  }
  return { name, rights }
}

/** What may not be what the operator meant: it is only said. What is not there now may come later. */
function* doubts({ mounts, workdirs }: TokenRights, served: Served): Generator<string> {
  for (const mount of mounts ?? []) if (!served.mounts.includes(mount)) yield `nothing is mounted at ${mount} now`
  for (const alias of workdirs ?? []) if (!served.aliases.includes(alias)) yield `no workdir is called ${alias} now (names are case-sensitive)`
  const beside = workdirs === null ? [] : (mounts ?? []).filter((mount) => mount !== "/mcp")
  for (const mount of beside) yield `${mount} has no workdirs: --workdir does not narrow what the token opens there`
}

/** Prints the text alone on stdout, so that it can be piped to where it is kept. */
export function createToken(argv: readonly string[], { stateDir, served, now, stdout, stderr }: TokenContext): number {
  const { name, rights } = requestOf(argv, now)
  using state = openState(stateDir)
  const text = state.tokens.create(name, rights, now)
  if (text === null) {
    stderr.write(`serverfs token: there is a token '${name}' already; revoke it first, or choose another name\n`)
    return FAILED
  }
  for (const warning of doubts(rights, served)) stderr.write(`serverfs token: warning: ${warning}\n`)
  stderr.write(`Token '${name}' is made: ${rightsText(rights)}. It is shown this once:\n`)
  stdout.write(`${text}\n`)
  return DONE
}
