/** `serverfs audit`: read, filter and follow an audit file. Lines come out as they are, one JSON event each. */
import { printable } from "../../config/fault.ts"
import { systemErrorCode } from "../../system-error.ts"
import { parseOptions } from "../parse-options.ts"
import { SAME_AS_GATEWAY } from "../same-as-gateway.ts"
import { DONE, FAILED, type Terminal, USAGE } from "../terminal.ts"
import { UsageError } from "../usage-error.ts"
import { AuditFilter } from "./audit-filter.ts"
import { linesOf } from "./follow-lines.ts"

export const HELP = `Usage: serverfs audit [--follow] [--principal NAME] [--tool TOOL] [--workdir ALIAS] [--code CODE] [FILE]

Prints the events of FILE (SERVERFS_AUDIT_FILE when it is not given) that match every filter, one JSON object a line:
who called (the token's name), which tool, in which workdir, and what it ended with (such as REVISION_CONFLICT).
--follow goes on with new ones, through rotations, until it is interrupted.

${SAME_AS_GATEWAY}`

const OPTIONS = {
  follow: { type: "boolean", short: "f" },
  principal: { type: "string" },
  tool: { type: "string" },
  workdir: { type: "string" },
  code: { type: "string" },
} as const

export interface AuditContext extends Terminal {
  /** SERVERFS_AUDIT_FILE, when it is set. */
  readonly auditFile: string | null
  /** Ends --follow. */
  readonly signal: AbortSignal
}

async function print(argv: readonly string[], { auditFile, signal, stdout, stderr }: AuditContext): Promise<void> {
  const { values, positionals } = parseOptions(argv, OPTIONS, true)
  const { follow = false, principal, tool, workdir, code } = values
  const [file = auditFile, ...more] = positionals
  if (more.length > 0) throw new UsageError("one file at a time")
  if (file === null) throw new UsageError("SERVERFS_AUDIT_FILE is not set; name the file")
  const filter = new AuditFilter({ principal, tool, workdir, error_code: code })
  const caughtUp = () => filter.reasons().forEach((reason) => stderr.write(`${printable(`serverfs audit: ${reason}`)}\n`))
  for await (const line of linesOf(file, { follow, signal, caughtUp })) {
    // The gateway's own lines hold nothing to escape; anybody else's may.
    if (filter.matches(line)) stdout.write(`${printable(line)}\n`)
  }
}

/** @param argv what follows `audit`. Gives the exit status: 1 = the file can't be read, 2 = not understood */
export async function run(argv: readonly string[], context: AuditContext): Promise<number> {
  try {
    await print(argv, context)
    return DONE
  } catch (error) {
    if (error instanceof UsageError) {
      context.stderr.write(`${printable(`serverfs audit: ${error.message}`)}\n\n${HELP}`)
      return USAGE
    }
    if (systemErrorCode(error) === "") throw error
    context.stderr.write(`serverfs audit: the file can't be read (${systemErrorCode(error)})\n`)
    return FAILED
  }
}
