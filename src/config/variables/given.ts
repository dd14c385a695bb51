/** What was given, before any of it is judged: the file of --env-file, the environment over it, the options over both. */
import { absolute, type Where } from "../directories/directory.ts"
import type { Fault } from "../fault.ts"
import { readEnvFile } from "./env-file.ts"
import { type Environment, type Given, type Lookup, lookupIn } from "./values.ts"

/** What the command line may say about the configuration. */
export interface ConfigOptions {
  /** ALIAS=PATH[:rw] each. */
  readonly dirs: readonly string[]
  readonly envFile: string | null
  readonly host: string | null
  readonly port: string | null
}

export interface GivenSources extends Where {
  readonly env: Environment
  readonly options: ConfigOptions
}

export interface AllGiven {
  readonly env: Environment
  /** Absolute path. */
  readonly envFile: string | null
  readonly lookup: Lookup
}

function overridesOf({ host, port }: ConfigOptions): Record<string, Given> {
  return {
    ...(host === null ? {} : { SERVERFS_HOST: { text: host, by: "--host" } }),
    ...(port === null ? {} : { SERVERFS_PORT: { text: port, by: "--port" } }),
  }
}

/** Reads the one file that was named, if any. */
export function gatherGiven({ env: environment, options, ...where }: GivenSources, faults: Fault[]): AllGiven {
  const envFile = options.envFile === null ? null : absolute(options.envFile, where)
  if (envFile !== null) where.watch?.("--env-file", envFile)
  const env = { ...(envFile === null ? {} : readEnvFile(envFile, faults)), ...environment }
  return { env, envFile, lookup: lookupIn(env, overridesOf(options)) }
}
