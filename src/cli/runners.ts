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

/** Tells what is wrong with a command; the exit status. */
export function refuse(faults: readonly Fault[]): number {
  for (const fault of faults) console.error(faultLine(fault))
  return USAGE
}

/** Tells what is wrong with the command line of a start together with all else that is in its way; the exit status. */
export async function refuseStart(faults: readonly Fault[], isCheck: boolean, load: Invocation["load"]): Promise<number> {
  const { outlookOf } = await import("./start-faults.ts")
  // The directory that is missing may be the one that could not be read.
  const needsDirectory = !faults.some(({ variable }) => variable === "--dir")
  const all = [...faults, ...outlookOf(await load(needsDirectory), Date.now()).faults]
  if (isCheck) return refuse(all)
  const { StartFailure } = await import("./report-failure.ts")
  throw new StartFailure(all)
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
    if (faults.length > 0) return refuse(faults)
    const { run } = await import("./healthcheck.ts")
    return run(rest, { ...output, address })
  },
}

/** A command that needs the configuration, but nothing to serve. */
function configured(run: (argv: readonly string[], config: Config) => Promise<number>): Run {
  return async ({ rest, load }) => {
    const loaded = await load(false)
    return loaded.ok ? run(rest, loaded.config) : refuse(loaded.faults)
  }
}

/** What the configuration serves. */
function served({ files, metrics, workdirs }: Config) {
  return { mounts: ["/mcp", ...(files === null ? [] : ["/files-mcp"]), ...(metrics?.port === null ? ["/metrics"] : [])], aliases: workdirs.map(({ alias }) => alias) }
}
