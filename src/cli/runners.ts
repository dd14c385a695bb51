/** What runs each command. Loaded only when asked for: serve confines the process before anything heavy is loaded. */
import type { Config } from "../config/config.ts"
import { type Fault, faultLine } from "../config/fault.ts"
import type { GivenSources } from "../config/given.ts"
import { listenAddress } from "../config/listen-address.ts"
import type { Loaded } from "../config/load.ts"
import type { CommandLine } from "./args.ts"
import type { CommandName } from "./commands.ts"
import { USAGE } from "./terminal.ts"

export interface Invocation extends Pick<CommandLine, "rest" | "options" | "newToken"> {
  readonly sources: GivenSources
  /** @param needsDirectory false for commands that work where there is nothing to serve */
  load(needsDirectory: boolean): Promise<Loaded>
}

/** The exit status; null = the gateway runs on. */
type Run = (invocation: Invocation) => Promise<number | null>

const output = { stdout: process.stdout, stderr: process.stderr }

/** --check. */
export const check: Run = async ({ load }) => {
  const { check } = await import("./check.ts")
  return check(await load(true), { ...output, now: Date.now() })
}

export const RUNNERS: Readonly<Record<CommandName, Run>> = {
  serve: async ({ load, newToken }) => {
    const { serve } = await import("./serve.ts")
    return serve(() => load(true), newToken)
  },
  token: configured(async (argv, config) => {
    const { run } = await import("./token.ts")
    return run(argv, { ...output, stateDir: config.stateDir, served: served(config), now: Date.now() })
  }),
  grants: configured(async (argv, { stateDir }) => {
    const { run } = await import("./grants.ts")
    return run(argv, { ...output, stateDir, now: Date.now() })
  }),
  "operator-secret": configured(async (argv, { stateDir }) => {
    const { run } = await import("./operator-secret.ts")
    return run(argv, { ...output, stdin: process.stdin, stateDir, now: Date.now() })
  }),
  doctor: async ({ rest, load, options, sources }) => {
    const { run } = await import("./doctor.ts")
    return run(rest, { ...output, load: () => load(true), env: sources.env, dirs: options.dirs })
  },
  audit: configured(async (argv, config) => {
    const { run } = await import("./audit.ts")
    const interrupted = new AbortController()
    process.on("SIGINT", () => interrupted.abort())
    return run(argv, { ...output, auditFile: config.auditFile?.path ?? null, signal: interrupted.signal })
  }),
  connect: configured(async (argv, config) => {
    const { run } = await import("./connect.ts")
    return run(argv, { ...output, config })
  }),
  // Looks at no directory, unlike the others: one that hangs must not make the gateway seem dead.
  healthcheck: async ({ rest, sources }) => {
    const faults: Fault[] = []
    const address = listenAddress(sources, faults)
    for (const fault of faults) console.error(faultLine(fault))
    const { run } = await import("./healthcheck.ts")
    return faults.length > 0 ? USAGE : run(rest, { ...output, address })
  },
}

/** A command that needs the configuration, but nothing to serve. */
function configured(run: (argv: readonly string[], config: Config) => Promise<number>): Run {
  return async ({ rest, load }) => {
    const loaded = await load(false)
    if (loaded.ok) return run(rest, loaded.config)
    for (const fault of loaded.faults) console.error(faultLine(fault))
    return USAGE
  }
}

/** What the configuration serves. */
function served({ files, metrics, workdirs }: Config) {
  return { mounts: ["/mcp", ...(files === null ? [] : ["/files-mcp"]), ...(metrics?.port === null ? ["/metrics"] : [])], aliases: workdirs.map(({ alias }) => alias) }
}
