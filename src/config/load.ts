/** Environment and options → one frozen value, or every fault at once (contract §7). */
import { auditFileOf } from "./audit-file.ts"
import type { Config, FilesConfig } from "./config.ts"
import { absolute, lookAt, type Where } from "./directory.ts"
import { readEnvFile } from "./env-file.ts"
import { type Fault, quote } from "./fault.ts"
import { limitsOf } from "./limits.ts"
import { readMounts } from "./mounts.ts"
import { unknownNames, type Warning } from "./names.ts"
import { type Claim, overlapFaults } from "./overlap.ts"
import { stateDirOf } from "./state-dir.ts"
import { staticToken } from "./token.ts"
import { type Environment, type Given, type Lookup, lookupIn, readValues, type Values } from "./values.ts"
import { findWorkdirs, type Workdirs } from "./workdirs.ts"

/** What the command line may say about the configuration. */
export interface ConfigOptions {
  /** ALIAS=PATH[:rw] each. */
  readonly dirs: readonly string[]
  readonly envFile: string | null
  readonly host: string | null
  readonly port: string | null
}

export interface Sources extends Where {
  readonly env: Environment
  readonly options: ConfigOptions
  /** The program's own directory, or its one file. */
  readonly program: string
}

export type Loaded =
  | {
    readonly ok: true
    readonly config: Config
    readonly warnings: readonly Warning[]
    /** What was given for a variable, for --check. */
    readonly lookup: Lookup
    /** Files of the operator's that were read: what loads the configuration again must be able to read them. */
    readonly reads: readonly string[]
  }
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly warnings: readonly Warning[] }

function overridesOf({ host, port }: ConfigOptions): Record<string, Given> {
  return {
    ...(host === null ? {} : { SERVERFS_HOST: { text: host, by: "--host" } }),
    ...(port === null ? {} : { SERVERFS_PORT: { text: port, by: "--port" } }),
  }
}

function filesOf(values: Values, where: Where, faults: Fault[]): FilesConfig | null {
  if (values.FILES_MCP_ROOT === null) return null
  const root = absolute(values.FILES_MCP_ROOT, where)
  const look = lookAt(root)
  const refuse = (message: string) => {
    faults.push({ variable: "FILES_MCP_ROOT", message })
    return null
  }
  if (look.kind !== "directory") return refuse(`${quote(root)} ${look.why}; give an existing directory that this process can list`)
  if (look.real === "/") return refuse("the root of the file system is never served; give a directory below it")
  return {
    root: look.real,
    maxBytes: values.FILES_MCP_MAX_BYTES,
    maxEntries: values.FILES_MCP_MAX_ENTRIES,
    readOnly: values.FILES_MCP_READ_ONLY,
    extraDenyGlobs: values.FILES_MCP_EXTRA_DENY_GLOBS ?? [],
  }
}

function keptApart({ enabled }: Workdirs, files: FilesConfig | null, guarded: readonly Claim[], secrets: readonly Claim[]): Fault[] {
  const workdirs = enabled.map(({ bound, workdir }) => (
    { what: `the workdir '${workdir.alias}'`, by: bound, path: workdir.root, readOnly: workdir.readOnly }
  ))
  const filesRoot = files && { what: "the Files root", by: "FILES_MCP_ROOT", path: files.root, readOnly: files.readOnly }
  return overlapFaults({ workdirs, files: filesRoot, guarded, secrets }, readMounts())
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

/** Reads everything there is to read, once. Looks at directories by path; opens and changes nothing for good. */
export function loadConfig({ env: environment, options, program, ...where }: Sources): Loaded {
  const faults: Fault[] = []
  const envFile = options.envFile === null ? null : absolute(options.envFile, where)
  const env = { ...(envFile === null ? {} : readEnvFile(envFile, faults)), ...environment }
  const warnings = unknownNames(env, faults)
  const lookup = lookupIn(env, overridesOf(options))
  const values = readValues(lookup, faults)

  const tokenFile = values.SERVERFS_TOKEN_FILE === null ? null : absolute(values.SERVERFS_TOKEN_FILE, where)
  const token = staticToken(values.SERVERFS_TOKEN, tokenFile, faults)
  const stateDir = stateDirOf(values.SERVERFS_STATE_DIR, env, where, faults)
  const auditFile = auditFileOf(values, where, faults)
  const workdirs = findWorkdirs({ lookup, values, where, dirs: options.dirs, stateDir }, faults)
  const files = filesOf(values, where, faults)

  const secrets: Claim[] = []
  if (tokenFile !== null) secrets.push({ what: "the token's file", by: "SERVERFS_TOKEN_FILE", path: tokenFile })
  if (envFile !== null) secrets.push({ what: "the environment file", by: "--env-file", path: envFile })
  const guarded: Claim[] = [{ what: "the program's own directory", by: null, path: program }]
  if (stateDir !== null) guarded.push({ what: "the state directory", by: "SERVERFS_STATE_DIR", path: stateDir })
  if (auditFile !== null) guarded.push({ what: "the audit file", by: "SERVERFS_AUDIT_FILE", path: auditFile.path })
  faults.push(...keptApart(workdirs, files, guarded, secrets))

  const metrics = values.SERVERFS_METRICS
  if (metrics?.port === values.SERVERFS_PORT) {
    faults.push({ variable: "SERVERFS_METRICS", message: `port ${metrics.port} is SERVERFS_PORT already; choose another, or on` })
  }
  if (faults.length > 0 || stateDir === null) return { ok: false, faults, warnings }

  const config: Config = {
    host: values.SERVERFS_HOST,
    port: values.SERVERFS_PORT,
    publicUrl: values.SERVERFS_PUBLIC_URL,
    allowedHosts: values.SERVERFS_ALLOWED_HOSTS ?? [],
    allowedOrigins: values.SERVERFS_ALLOWED_ORIGINS ?? [],
    token,
    stateDir,
    trustedProxies: values.SERVERFS_TRUSTED_PROXIES ?? [],
    oauth: values.SERVERFS_OAUTH,
    confine: values.SERVERFS_CONFINE,
    logLevel: values.SERVERFS_LOG_LEVEL,
    auditFile,
    metrics,
    workdirs: workdirs.enabled.map(({ workdir }) => workdir),
    files,
    limits: limitsOf(values),
    zeroConfig: workdirs.zeroConfig,
  }
  return { ok: true, config: frozen(config), warnings, lookup, reads: secrets.map(({ path }) => path) }
}
