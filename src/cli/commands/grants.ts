/** `serverfs grants`: what OAuth clients were granted. Works beside a running gateway, which heeds it from the next call on. */
import { printable } from "../../config/fault.ts"
import type { Grant } from "../../state/grants.ts"
import { withState } from "../../state/with-state.ts"
import { SAME_AS_GATEWAY } from "../same-as-gateway.ts"
import { runSubcommand } from "../subcommands.ts"
import { table } from "../table.ts"
import { DONE, FAILED, type Terminal } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"

export interface GrantsContext extends Terminal {
  readonly stateDir: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

export const HELP = `Usage:
  serverfs grants list
  serverfs grants revoke ID…

Grants are made on the consent page, when a client such as ChatGPT or Claude connects. The audit names their holders
grant:CLIENT#ID. A revoked grant's tokens are refused from the next call on, and the client has to ask again.

${SAME_AS_GATEWAY}`

const HEADER = ["ID", "CLIENT", "KNOWN BY", "MOUNT", "ACCESS", "WORKDIRS", "CREATED", "EXPIRES", "LAST USED"]

/** @param argv what follows `grants`. Gives the exit status: 1 = no such grant, 2 = not understood or not usable */
export function run(argv: readonly string[], context: GrantsContext): number {
  return runSubcommand({ name: "grants", help: HELP, actions: { list, revoke } }, argv, context)
}

function list(argv: readonly string[], { stateDir, stdout, stderr, now }: GrantsContext): number {
  if (argv.length > 0) throw new UsageError("list takes no arguments")
  const grants = withState(stateDir, "no grant is listed", (state) => state.grants.list(now))
  if (grants.length === 0) stderr.write("Nothing is granted to any OAuth client.\n")
  else stdout.write(printableTable([HEADER, ...grants.map(row)]))
  return DONE
}

/** Clients choose their own names. */
function printableTable(rows: readonly (readonly string[])[]): string {
  return table(rows.map((cells) => cells.map(printable)))
}

function row({ id, clientId, clientName, mount, readOnly, workdirs, created, expires, lastUsed }: Grant): readonly string[] {
  const knownBy = clientId.startsWith("https://") ? new URL(clientId).hostname : "(registered itself)"
  return [
    id,
    clientName,
    knownBy,
    mount,
    readOnly ? "read-only" : "read-write",
    workdirs.join(",") || "-",
    minute(created),
    expires === null ? "never" : minute(expires),
    lastUsed === null ? "never" : minute(lastUsed),
  ]
}

/** "2026-11-30 12:00Z". */
function minute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")}Z`
}

function revoke(ids: readonly string[], { stateDir, stderr }: GrantsContext): number {
  if (ids.length === 0) throw new UsageError("revoke takes the ids of grants, as 'serverfs grants list' shows them")
  const left = [...ids]
  let status = DONE
  return withState(stateDir, () => `not revoked, and still good if they are there: ${left.join(", ")}`, (state) => {
    for (const id of ids) {
      const revoked = state.grants.revoke(id)
      left.shift()
      if (!revoked) status = FAILED
      stderr.write(`${printable(revoked ? `Grant ${id} is revoked: its next call is refused.` : `serverfs grants: there is no grant '${id}'`)}\n`)
    }
    return status
  })
}
