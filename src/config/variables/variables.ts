/** Every variable there is: the one table behind parsing, the known names, --help, --check and .env.example. */
import { boolean, denyGlob, integer, type Kind, list, newFile, offOr, oneOf, path, text, token } from "./kind.ts"
import { allowedHost, allowedOrigin, bindHost, metrics, proxy, publicUrl } from "./net-kind.ts"

export interface Variable<T> {
  readonly kind: Kind<T>
  /** As an operator would write it; "" = not set. */
  readonly default: string
  /** One line, for --help. */
  readonly meaning: string
}

export const VARIABLES = {
  SERVERFS_HOST: { kind: bindHost, default: "127.0.0.1", meaning: "address to listen on; any but loopback needs a credential" },
  SERVERFS_PORT: { kind: integer(0, 65535), default: "8000", meaning: "port to listen on; 0 = any free one" },
  SERVERFS_PUBLIC_URL: { kind: publicUrl, default: "", meaning: "the URL that remote clients use" },
  SERVERFS_ALLOWED_HOSTS: { kind: list(allowedHost), default: "", meaning: "Host names accepted besides loopback, SERVERFS_HOST and the public URL's" },
  SERVERFS_ALLOWED_ORIGINS: { kind: list(allowedOrigin), default: "", meaning: "browser origins that may call" },
  SERVERFS_TRUSTED_PROXIES: { kind: list(proxy), default: "", meaning: "peers whose forwarded client address is believed" },
  SERVERFS_TOKEN: { kind: token, default: "", meaning: "a bearer token with full rights, 32 characters or more" },
  SERVERFS_TOKEN_FILE: { kind: path, default: "", meaning: "a file that holds that token instead" },
  SERVERFS_STATE_DIR: { kind: path, default: "", meaning: "tokens and grants; default $XDG_STATE_HOME/serverfs or ~/.local/state/serverfs" },
  SERVERFS_OAUTH: { kind: oneOf("auto", "off"), default: "auto", meaning: "auto (on with an https public URL and an operator secret) or off" },
  SERVERFS_CONFINE: { kind: oneOf("auto", "required", "off"), default: "auto", meaning: "kernel confinement of the process (Landlock): auto, required or off" },
  SERVERFS_WORKDIRS_ROOT: { kind: path, default: "/workdirs", meaning: "container layout: slot XX is the directory XX in here" },
  SERVERFS_ALLOW_HIDDEN: { kind: boolean, default: "false", meaning: "show names that start with a dot" },
  SERVERFS_DISABLE_DEFAULT_DENY: { kind: boolean, default: "false", meaning: "release the built-in rules against credential files" },
  SERVERFS_EXTRA_DENY_GLOBS: { kind: list(denyGlob), default: "", meaning: "names to deny besides; nothing releases these" },
  SERVERFS_CALL_TIMEOUT_SECONDS: { kind: integer(), default: "55", meaning: "every call is answered within this time" },
  SERVERFS_MAX_CALLS_IN_FLIGHT: { kind: integer(), default: "64", meaning: "calls at once per token; further ones wait" },
  SERVERFS_CALLS_PER_MINUTE: { kind: offOr(integer()), default: "off", meaning: "calls a minute per token" },
  SERVERFS_BYTES_PER_MINUTE: { kind: offOr(integer()), default: "off", meaning: "bytes a minute per token, of calls and their answers" },
  SERVERFS_MAX_READ_BYTES: { kind: integer(), default: "524288", meaning: "bytes one read may return" },
  SERVERFS_MAX_READ_LINES: { kind: integer(), default: "500", meaning: "lines one read may return" },
  SERVERFS_DEFAULT_LIST_LIMIT: { kind: integer(), default: "100", meaning: "entries of a listing when the caller names no limit" },
  SERVERFS_MAX_LIST_ENTRIES: { kind: integer(), default: "500", meaning: "entries of a listing at most" },
  SERVERFS_DEFAULT_SEARCH_RESULTS: { kind: integer(), default: "50", meaning: "matches when the caller names no limit" },
  SERVERFS_MAX_SEARCH_RESULTS: { kind: integer(), default: "100", meaning: "matches at most" },
  SERVERFS_MAX_WALK_ENTRIES: { kind: integer(), default: "200000", meaning: "entries a find may look at" },
  SERVERFS_SEARCH_TIMEOUT_SECONDS: { kind: integer(), default: "15", meaning: "time for one search" },
  SERVERFS_SEARCH_MAX_FILE_BYTES: { kind: integer(), default: "52428800", meaning: "larger files are not searched" },
  SERVERFS_MAX_WRITE_BYTES: { kind: integer(), default: "1048576", meaning: "bytes of a created file, of an edit's source, result and texts" },
  SERVERFS_MAX_EDITS_PER_CALL: { kind: integer(), default: "50", meaning: "edits in one call" },
  SERVERFS_LOG_LEVEL: { kind: oneOf("DEBUG", "INFO", "WARNING", "ERROR"), default: "INFO", meaning: "DEBUG, INFO, WARNING or ERROR, and above; the audit is never silenced" },
  SERVERFS_AUDIT_FILE: { kind: offOr(newFile), default: "off", meaning: "a file that gets the audit besides stderr" },
  SERVERFS_AUDIT_FILE_MAX_BYTES: { kind: integer(), default: "67108864", meaning: "the audit file is rotated at this size" },
  SERVERFS_AUDIT_FILE_KEEP: { kind: integer(0), default: "5", meaning: "rotated audit files to keep" },
  SERVERFS_METRICS: { kind: metrics, default: "off", meaning: "on = /metrics behind the bearer check; a port = there, on loopback" },
  FILES_MCP_ROOT: { kind: path, default: "", meaning: "the Files service's directory; unset = the service is off" },
  FILES_MCP_READ_ONLY: { kind: boolean, default: "false", meaning: "turn the Files service's mutations off" },
  FILES_MCP_MAX_BYTES: { kind: integer(), default: "1048576", meaning: "bytes of one file read or written" },
  FILES_MCP_MAX_ENTRIES: { kind: integer(), default: "10000", meaning: "entries of a listing or search" },
  FILES_MCP_EXTRA_DENY_GLOBS: { kind: list(denyGlob), default: "", meaning: "names the Files service denies" },
} as const satisfies Record<string, Variable<unknown>>

/** Of each slot, as WORKDIR_01_ALIAS … WORKDIR_16_EXTRA_DENY_GLOBS. */
export const SLOT_VARIABLES = {
  ALIAS: { kind: text, default: "", meaning: "the name agents use: a letter, then up to 31 letters, digits, _ or -" },
  PATH: { kind: path, default: "", meaning: "the directory; default $SERVERFS_WORKDIRS_ROOT/XX" },
  READ_ONLY: { kind: boolean, default: "true", meaning: "false lets agents change what is in it" },
  DESCRIPTION: { kind: text, default: "", meaning: "what it is, for agents" },
  ALLOW_HIDDEN: { kind: boolean, default: "", meaning: "overrides SERVERFS_ALLOW_HIDDEN here" },
  DISABLE_DEFAULT_DENY: { kind: boolean, default: "", meaning: "overrides SERVERFS_DISABLE_DEFAULT_DENY here" },
  EXTRA_DENY_GLOBS: { kind: list(denyGlob), default: "", meaning: "added to SERVERFS_EXTRA_DENY_GLOBS here" },
} as const satisfies Record<string, Variable<unknown>>

/** Read by compose.yaml alone; known, so that a container which is handed the same file does not trip over them. */
export const COMPOSE_VARIABLES: Readonly<Record<string, string>> = {
  SERVERFS_IMAGE: "the image to run",
  SERVERFS_UID: "the user the container runs as",
  SERVERFS_GID: "the group the container runs as",
  SERVERFS_EGRESS: "whether the container may connect out",
  CLOUDFLARED_TOKEN_FILE: "a file that holds the tunnel's token",
}

export type VariableName = keyof typeof VARIABLES
export type SlotKey = keyof typeof SLOT_VARIABLES

/** The type a variable's value has: null only where there is no default. */
export type ValueOf<V extends Variable<unknown>> = V extends Variable<infer T> ? (V["default"] extends "" ? T | null : T) : never

export const SLOT_COUNT = 16

/** slotName(1, "ALIAS") = "WORKDIR_01_ALIAS". */
export function slotName(slot: number, key: SlotKey): string {
  return `WORKDIR_${String(slot).padStart(2, "0")}_${key}`
}
