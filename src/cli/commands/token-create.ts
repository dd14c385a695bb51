/** `serverfs token create`. */
import { isAlias } from "../../config/directories/alias.ts"
import { printable } from "../../config/fault.ts"
import { SERVERFS } from "../../service-mounts.ts"
import { hasRun } from "../../state/gateway-lock.ts"
import { tokenNameFault } from "../../state/token-name.ts"
import type { TokenRights } from "../../state/tokens.ts"
import { withState } from "../../state/with-state.ts"
import { parseOptions } from "../parse-options.ts"
import { StdoutError } from "../stdout.ts"
import { DONE, FAILED } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { parseDuration } from "./duration.ts"
import type { Served, TokenContext } from "./token-context.ts"
import { rightsText } from "./token-list.ts"

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

function requestOf(argv: readonly string[], now: number): Request {
  const { name, mount, workdir, "read-only": readOnly = false, expires } = parseOptions(argv, OPTIONS, false).values
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
    // Workdirs are of ServerFS alone: naming some must not leave another mount wide open.
    mounts: mount ? [...new Set(mount)] : workdir ? [SERVERFS.mount] : null,
    workdirs: workdir ? [...new Set(workdir)] : null,
    readOnly,
    expires: lifetime === null ? null : now + lifetime,
  }
  return { name, rights }
}

const UNSEEN = "the token works if the gateway has one; with the gateway's own --dir or --env-file this command can check it"

/** What may not be what the operator meant: it is only said. What is not there now may come later, or be the gateway's alone. */
function* doubts({ mounts, workdirs }: TokenRights, served: Served): Generator<string> {
  for (const mount of mounts ?? []) if (!served.mounts.includes(mount)) yield `the configuration given to this command mounts nothing at ${mount}; ${UNSEEN}`
  for (const alias of workdirs ?? []) if (!served.aliases.includes(alias)) yield `the configuration given to this command has no workdir called ${alias} (names are case-sensitive); ${UNSEEN}`
  const beside = workdirs === null ? [] : (mounts ?? []).filter((mount) => mount !== SERVERFS.mount)
  for (const mount of beside) yield `${mount} has no workdirs: --workdir does not narrow what the token opens there`
}

/** Prints the text alone on stdout, so that it can be piped to where it is kept. A token whose text is lost there is not left behind. */
export function createToken(argv: readonly string[], { stateDir, served, now, stdout, stderr }: TokenContext): number {
  const { name, rights } = requestOf(argv, now)
  const isKnown = hasRun(stateDir)
  const text = withState(stateDir, `token '${name}' is not made`, (state) => state.tokens.create(name, rights, now))
  if (text === null) {
    stderr.write(`serverfs token: there is a token '${name}' already; revoke it first, or choose another name\n`)
    return FAILED
  }
  const warnings = served === null ? [] : [...doubts(rights, served)]
  if (!isKnown) warnings.push("no gateway has run on this state directory yet: one that is given another SERVERFS_STATE_DIR, or runs as another user, will not know the token")
  for (const warning of warnings) stderr.write(`serverfs token: warning: ${warning}\n`)
  stderr.write(`${printable(`Token '${name}' is made in ${stateDir}: ${rightsText(rights)}. It is shown this once:`)}\n`)
  try {
    stdout.write(`${text}\n`)
    return DONE
  } catch (error) {
    if (!(error instanceof StdoutError)) throw error
    withState(stateDir, `token '${name}' is made, and nobody has seen it: revoke it`, (state) => state.tokens.revoke(name))
    stderr.write(`serverfs token: ${error.message}, so token '${name}' is revoked again; send stdout where it can be read\n`)
    return FAILED
  }
}
