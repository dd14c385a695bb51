/** The frozen configuration: what the environment and the command line came to, every value checked. */

export interface PolicyConfig {
  readonly allowHidden: boolean
  readonly disableDefaultDeny: boolean
  /** Trimmed, non-empty; the union of the global and the slot's own. */
  readonly extraDenyGlobs: readonly string[]
}

export interface WorkdirConfig {
  readonly alias: string
  /** Absolute real path, symlinks resolved once at start. Never shown to a caller. */
  readonly root: string
  readonly description: string | null
  readonly readOnly: boolean
  readonly policy: PolicyConfig
}

export interface FilesConfig {
  /** Absolute real path. */
  readonly root: string
  /** The same as the operator wrote it, made absolute: callers and links may know it by either. */
  readonly configuredRoot: string
  readonly maxBytes: number
  readonly maxEntries: number
  readonly readOnly: boolean
  readonly extraDenyGlobs: readonly string[]
}

export interface Limits {
  readonly callTimeoutMs: number
  readonly maxReadBytes: number
  readonly maxReadLines: number
  readonly defaultListLimit: number
  readonly maxListEntries: number
  readonly defaultSearchResults: number
  readonly maxSearchResults: number
  readonly maxWalkEntries: number
  readonly searchTimeoutMs: number
  readonly searchMaxFileBytes: number
  readonly maxWriteBytes: number
  readonly maxEditsPerCall: number
  readonly maxCallsInFlight: number
  /** Per principal and minute; null = off. */
  readonly callsPerMinute: number | null
  readonly bytesPerMinute: number | null
}

export type LogLevel = "DEBUG" | "INFO" | "WARNING" | "ERROR"

export interface Config {
  readonly host: string
  /** 0 = any free port. */
  readonly port: number
  /** Origin (and path) that remote clients use, without a trailing slash; null = there is none. */
  readonly publicUrl: string | null
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** The static token, from SERVERFS_TOKEN or its file. Never printed. */
  readonly token: string | null
  readonly stateDir: string
  /** Addresses or CIDR blocks of peers whose forwarded client address is believed. */
  readonly trustedProxies: readonly string[]
  readonly oauth: "auto" | "off"
  readonly confine: "auto" | "required" | "off"
  readonly logLevel: LogLevel
  readonly auditFile: { readonly path: string; readonly maxBytes: number; readonly keep: number } | null
  readonly metrics: MetricsConfig | null
  readonly workdirs: readonly WorkdirConfig[]
  readonly files: FilesConfig | null
  readonly limits: Limits
  /** True when nothing was configured and the current directory is served (contract §7, "No configuration"). */
  readonly zeroConfig: boolean
}

/** On the gateway's own port behind the bearer check (null), or on a port of its own on loopback. */
export interface MetricsConfig {
  readonly port: number | null
}
