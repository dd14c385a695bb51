/** Environment and options → one frozen value, or every fault at once (contract §7). */
import type { Config, FilesConfig } from "./config.ts"
import type { Listening } from "./credential.ts"
import { auditFileFaults, auditFileOf } from "./directories/audit-file.ts"
import { claimsOf, credentialFiles } from "./directories/claims.ts"
import { absolute, isWritable, whereOf } from "./directories/directory.ts"
import { filesOf } from "./directories/files-root.ts"
import { readMounts } from "./directories/mounts.ts"
import { overlapFaults } from "./directories/overlap.ts"
import { stateDirOf } from "./directories/state-dir.ts"
import { findWorkdirs, type Workdirs } from "./directories/workdirs.ts"
import type { Fault } from "./fault.ts"
import { frozen } from "./frozen.ts"
import { limitsOf } from "./limits.ts"
import { staticToken } from "./token.ts"
import { gatherGiven, type GivenSources } from "./variables/given.ts"
import { unknownNames } from "./variables/names.ts"
import { type Given, type Lookup, readValues } from "./variables/values.ts"
import { type VariableName, VARIABLES } from "./variables/variables.ts"
import type { Warning } from "./warning.ts"

export interface Sources extends GivenSources {
  /** The program's own directory, or its one file. */
  readonly program: string
  /** Whether having nothing to serve unasked is a fault: not so for a command that only needs the state. */
  readonly needsDirectory: boolean
}

/** What a start needs besides directories to serve, as far as it is known. Nobody has looked at it yet. */
export interface Means extends Listening {
  /** Absolute paths; null = none, or none that could be told. */
  readonly stateDir: string | null
  readonly auditFile: string | null
}

export type Loaded =
  | {
    readonly ok: true
    readonly config: Config
    readonly warnings: readonly Warning[]
    /** What was given, by variable, for --check. */
    readonly given: Readonly<Record<string, Given>>
    readonly means: Means
  }
  /** Without means where looking at them might never end. */
  | { readonly ok: false; readonly faults: readonly Fault[]; readonly warnings: readonly Warning[]; readonly means: Means | null }

/** Reads everything there is to read, once. Looks at directories by path; changes nothing. */
export function loadConfig({ env: environment, options, program, needsDirectory, cwd, home, watch }: Sources): Loaded {
  const faults: Fault[] = []
  const where = whereOf({ cwd, home, ...(watch && { watch }) })
  const { env, envFile, lookup } = gatherGiven({ env: environment, options, ...where }, faults)
  const unknown = unknownNames(env, faults)
  const values = readValues(lookup, faults)

  const tokenFile = values.SERVERFS_TOKEN_FILE === null ? null : absolute(values.SERVERFS_TOKEN_FILE, where)
  if (tokenFile !== null) watch?.("SERVERFS_TOKEN_FILE", tokenFile)
  const token = staticToken(values.SERVERFS_TOKEN, tokenFile, faults)
  const stateDir = stateDirOf(values.SERVERFS_STATE_DIR, env, where, faults)
  const auditFile = auditFileOf(values, where, faults)
  const workdirs = findWorkdirs({ lookup, values, where, dirs: options.dirs, stateDir, needsDirectory }, faults)
  const files = filesOf(values, where, faults)

  const warnings = [...unknown, ...notWritable(workdirs, files)]
  const mounts = readMounts()
  faults.push(...overlapFaults(claimsOf({ workdirs: workdirs.enabled, files, stateDir, auditFile, program, tokenFile, envFile }), mounts))
  if (auditFile !== null) faults.push(...auditFileFaults(auditFile, credentialFiles({ stateDir, tokenFile, envFile }), mounts))

  const metrics = values.SERVERFS_METRICS
  if (metrics?.port === values.SERVERFS_PORT) {
    faults.push({ variable: "SERVERFS_METRICS", message: `port ${metrics.port} is SERVERFS_PORT already; choose another, or on` })
  }
  const means = { host: values.SERVERFS_HOST, hasToken: isGiven(lookup, "SERVERFS_TOKEN", "SERVERFS_TOKEN_FILE"), stateDir, auditFile: auditFile?.path ?? null }
  if (faults.length > 0 || stateDir === null) return { ok: false, faults, warnings, means }

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
  return { ok: true, config: frozen(config), warnings, given: givenIn(lookup), means }
}

function isGiven(lookup: Lookup, ...names: readonly VariableName[]): boolean {
  return names.some((name) => lookup(name) !== undefined)
}

function notWritable({ enabled }: Workdirs, files: FilesConfig | null): Warning[] {
  const named = enabled.map(({ workdir: { alias, root, readOnly } }) => ({ directory: `workdir ${alias}`, root, readOnly }))
  const all = files === null ? named : [...named, { directory: "the Files root", ...files }]
  return all.filter(({ root, readOnly }) => !readOnly && !isWritable(root)).map(({ directory }) => ({ event: "config_not_writable", directory }))
}

function givenIn(lookup: Lookup): Record<string, Given> {
  const pairs = Object.keys(VARIABLES).map((name) => [name, lookup(name)] as const)
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, Given] => pair[1] !== undefined))
}
