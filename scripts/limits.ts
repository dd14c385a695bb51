/** The one table of all limits for the README: defaults from the table of variables, what is fixed from where it is fixed. */
import { QUEUE_BYTES } from "../src/audit/sink.ts"
import { SLOT_COUNT, VARIABLES } from "../src/config/variables/variables.ts"
import { MAX_BODY_BYTES } from "../src/http/max-body.ts"
import { BODY_BYTES, UNSENT_BYTES } from "../src/http/memory-budget.ts"
import { MAX_ANSWERS } from "../src/mcp/batch.ts"
import { MAX_ELEMENTS } from "../src/mcp/bounds.ts"
import { MAX_WAITING } from "../src/mcp/call-gate.ts"
import { MAX_PROCESSES } from "../src/mcp/call.ts"
import { MAX_BATCH } from "../src/mcp/endpoint.ts"
import { MAX_DEPTH } from "../src/mcp/parse-json.ts"
import { MAX_UNITS } from "../src/operations/search-text.ts"
import { DEFAULT_LINES } from "../src/services/serverfs/tools/read-text-file.ts"
import { MAX_NAME_BYTES, MAX_PATH_BYTES } from "../src/workdir/relpath.ts"

type Name = keyof typeof VARIABLES

const MIB = 1024 ** 2

function bytes(count: number): string {
  return count >= MIB ? `${count / MIB} MiB` : `${count / 1024} KiB`
}

/** 200000 as 200,000. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** What a variable is when nothing is given, in the unit that its name says. */
function byDefault(name: Name): string {
  const text = VARIABLES[name].default
  const count = Number(text)
  if (Number.isNaN(count)) return text
  return name.endsWith("_BYTES") ? bytes(count) : name.endsWith("_SECONDS") ? `${count} s` : grouped(count)
}

/** A row whose text says {NAME} where the default of that variable belongs. */
function row(what: string, limit: string): readonly [string, string, string] {
  const names: Name[] = []
  const text = limit.replace(/\{(\w+)\}/g, (_, name: Name) => {
    names.push(name)
    return byDefault(name)
  })
  return [what, text, names.map((name) => `\`${name}\``).join(", ") || "–"]
}

/** What is limited, how far, and what sets it. */
export const LIMIT_ROWS: readonly (readonly [string, string, string])[] = [
  row("one request", `${bytes(MAX_BODY_BYTES)}, ${MAX_BATCH} messages, ${grouped(MAX_ELEMENTS)} array elements a call, nested ${grouped(MAX_DEPTH)} deep`),
  row("the answers of one batch", `${grouped(MAX_ANSWERS)} characters of text together, counted once and before it is escaped, or one large answer`),
  row("request bodies of one token at once", bytes(BODY_BYTES)),
  row("large answers of one token that it has not read, before it is told to", bytes(UNSENT_BYTES)),
  row("one call", "{SERVERFS_CALL_TIMEOUT_SECONDS}"),
  row("calls of one token at once", `{SERVERFS_MAX_CALLS_IN_FLIGHT}, and ${MAX_WAITING} more wait`),
  row("searches of one token at once", `${MAX_PROCESSES}, and ${MAX_WAITING} more wait`),
  row("calls of one token a minute", "{SERVERFS_CALLS_PER_MINUTE}"),
  row("bytes of one token a minute", "{SERVERFS_BYTES_PER_MINUTE}"),
  row("a page of text", `{SERVERFS_MAX_READ_LINES} lines, ${DEFAULT_LINES} unless asked, {SERVERFS_MAX_READ_BYTES}`),
  row("a resource", "{SERVERFS_MAX_READ_LINES} lines, {SERVERFS_MAX_READ_BYTES}"),
  row("a page of a listing", "{SERVERFS_MAX_LIST_ENTRIES} entries, {SERVERFS_DEFAULT_LIST_LIMIT} unless asked"),
  row("text of one search's answer, with its context lines", `${grouped(MAX_UNITS)} characters, then it is truncated`),
  row("matches of a find or search", "{SERVERFS_MAX_SEARCH_RESULTS}, {SERVERFS_DEFAULT_SEARCH_RESULTS} unless asked"),
  row("entries that a find looks at", "{SERVERFS_MAX_WALK_ENTRIES}"),
  row("one search", "{SERVERFS_SEARCH_TIMEOUT_SECONDS}, files up to {SERVERFS_SEARCH_MAX_FILE_BYTES}"),
  row("what is written, or edited", "{SERVERFS_MAX_WRITE_BYTES}, {SERVERFS_MAX_EDITS_PER_CALL} edits a call, and no more places changed than that has bytes"),
  row("a file of the Files service", "{FILES_MCP_MAX_BYTES}"),
  row("a listing or search of the Files service", "{FILES_MCP_MAX_ENTRIES} entries"),
  row("a path, a name", `${grouped(MAX_PATH_BYTES)} and ${MAX_NAME_BYTES} bytes`),
  row("workdirs", String(SLOT_COUNT)),
  row("the audit file", "{SERVERFS_AUDIT_FILE_MAX_BYTES}, and {SERVERFS_AUDIT_FILE_KEEP} older ones"),
  row("audit events waiting for their reader", `${bytes(QUEUE_BYTES)}, then changes are refused`),
]
