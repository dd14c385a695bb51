/** What a start prints on stdout: where it serves, what, the token when it was made just now, and snippets to paste. */
import type { Config } from "../config/config.ts"
import { printable } from "../config/fault.ts"
import { reachable } from "../config/local-url.ts"
import { type Warning, warningText } from "../config/warning.ts"
import { clientText } from "./commands/clients.ts"
import { endpointsOf } from "./commands/connect.ts"

export interface Started {
  readonly config: Config
  /** On this machine, such as http://127.0.0.1:8000. */
  readonly url: string
  /** Shown once; null when there was a credential already. */
  readonly firstToken: string | null
  readonly warnings: readonly Warning[]
}

const SHOWN_CLIENTS = ["claude-code", "cursor", "curl"] as const
const ALIAS_WIDTH = 32

export function startupMessage({ config, url, firstToken, warnings }: Started): string {
  const endpoints = endpointsOf(config, url)
  return [
    `serverfs is ready on ${url}`,
    "",
    ...endpoints.map((endpoint) => `  ${endpoint.name.padEnd(ALIAS_WIDTH)} ${endpoint.url}`),
    ...nameless(config),
    "",
    ...directories(config),
    ...warnings.map((warning) => `  Warning: ${warningText(warning)}`),
    ...(firstToken === null ? [credentialHint(config)] : welcome(firstToken, endpoints)),
    "",
    "Other clients: serverfs connect CLIENT (in a clone: ./bin/serverfs connect CLIENT). Ctrl-C stops it.",
  ].join("\n")
}

/** On every interface it has no name of its own, and the Host check lets in what has one. */
function nameless({ host, publicUrl, allowedHosts }: Config): string[] {
  const named = reachable(host) === host || publicUrl !== null || allowedHosts.length > 0
  return named ? [] : ["  Other machines are refused until SERVERFS_ALLOWED_HOSTS names what they call it."]
}

/** The operator's terminal may show host paths; no log does. */
function directories({ workdirs, files }: Config): string[] {
  const rows = workdirs.map(({ alias, readOnly, root }) => row(`workdir ${alias}`, readOnly, root))
  if (rows.length === 0) rows.push("  No workdir is configured; --dir ALIAS=PATH[:rw] names one.")
  return files === null ? rows : [...rows, row("Files root", files.readOnly, files.root)]
}

function row(what: string, readOnly: boolean, path: string): string {
  return `  ${what.padEnd(ALIAS_WIDTH)} ${readOnly ? "read-only " : "read-write"} ${printable(path)}`
}

function credentialHint({ token }: Config): string {
  if (token !== null) return "\nClients sign in with the token of SERVERFS_TOKEN or SERVERFS_TOKEN_FILE."
  return "\nClients sign in with the token shown at the first start (--new-token replaces it), or one that 'serverfs token list' names."
}

function welcome(token: string, endpoints: ReturnType<typeof endpointsOf>): string[] {
  const snippets = SHOWN_CLIENTS.map((client) => clientText(client, endpoints, token))
  return ["", "Your token, shown this once (--new-token replaces a lost one):", "", `  ${token}`, "", ...snippets]
}
