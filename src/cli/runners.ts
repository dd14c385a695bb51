/** What runs each command. Loaded only when asked for: serve confines the process before anything heavy is loaded. */
import type { Config } from "../config/config.ts"
import { type Fault, faultLine } from "../config/fault.ts"
import { listenAddress } from "../config/listen-address.ts"
import type { Loaded } from "../config/load.ts"
import { stateDirectory } from "../config/state-only.ts"
import type { GivenSources } from "../config/variables/given.ts"
import { METRICS_MOUNT, mountedBy } from "../service-mounts.ts"
import type { CommandLine } from "./args.ts"
import type { CommandName } from "./command-table.ts"
import { showOnce, writeOut } from "./stdout.ts"
import { DONE, USAGE } from "./terminal.ts"

export interface Invocation extends Pick<CommandLine, "rest" | "options" | "newToken"> {
  readonly sources: GivenSources
  /** @param needsDirectory false for commands that work where there is nothing to serve */
  load(needsDirectory: boolean): Promise<Loaded>
}

/** The exit status; null = the gateway runs on. */
type Run = (invocation: Invocation) => Promise<number | null>

const output = { stdout: { write: writeOut }, stderr: process.stderr }

/** --check. */
export const check: Run = async ({ load }) => {
  const { check } = await import("./commands/check.ts")
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
    const { serve } = await import("./commands/serve.ts")
    return serve(() => load(true), newToken)
  },
  token: command(() => import("./commands/token.ts"), async (invocation, faults) => {
    const now = Date.now()
    if (invocation.rest[0] !== "create") return onState(invocation, faults, (stateDir) => ({ ...output, stateDir, served: null, now }))
    return onConfig(invocation, faults, (config) => ({ ...output, stdout: { write: showOnce }, stateDir: config.stateDir, served: served(config), now }))
  }),
  grants: command(() => import("./commands/grants.ts"), async (invocation, faults) => (
    onState(invocation, faults, (stateDir) => ({ ...output, stateDir, now: Date.now() }))
  )),
  "operator-secret": command(() => import("./commands/operator-secret.ts"), async (invocation, faults) => (
    onState(invocation, faults, (stateDir) => ({ ...output, stdin: process.stdin, stateDir, now: Date.now() }))
  )),
  doctor: command(() => import("./commands/doctor.ts"), async ({ load, options, sources }) => (
    { ...output, load: () => load(true), env: sources.env, dirs: options.dirs }
  )),
  audit: command(() => import("./commands/audit.ts"), (invocation, faults) => onConfig(invocation, faults, ({ auditFile }) => (
    // An interrupt ends it as it ends tail(1): nothing could heed one while whoever reads the output rests.
    { ...output, auditFile: auditFile?.path ?? null, signal: new AbortController().signal }
  ))),
  connect: command(() => import("./commands/connect.ts"), (invocation, faults) => onConfig(invocation, faults, (config) => ({ ...output, config }))),
  // Looks at no directory: one that hangs must not make the gateway seem dead.
  healthcheck: command(() => import("./commands/healthcheck.ts"), async ({ sources }, faults) => {
    const address = listenAddress(sources, faults)
    return faults.length > 0 ? null : { ...output, address }
  }),
}

interface Module<C> {
  readonly HELP: string
  run(argv: readonly string[], context: C): number | Promise<number>
}

/**
 * A command that has its help whatever the configuration is.
 * @param contextOf null = it can't run, and the faults say why
 */
function command<C>(load: () => Promise<Module<C>>, contextOf: (invocation: Invocation, faults: Fault[]) => Promise<C | null>): Run {
  return async (invocation) => {
    const { HELP, run } = await load()
    const { rest } = invocation
    if (rest.includes("--help") || rest.includes("-h")) {
      output.stdout.write(HELP)
      return DONE
    }
    const faults: Fault[] = []
    const context = await contextOf(invocation, faults)
    return context === null ? refuse(faults) : run(rest, context)
  }
}

/** The context of a command that needs the configuration, but nothing to serve. */
async function onConfig<C>({ load }: Invocation, faults: Fault[], contextOf: (config: Config) => C): Promise<C | null> {
  const loaded = await load(false)
  if (loaded.ok) return contextOf(loaded.config)
  faults.push(...loaded.faults)
  return null
}

/** The context of a command that needs the state alone. */
function onState<C>({ sources }: Invocation, faults: Fault[], contextOf: (stateDir: string) => C): C | null {
  const stateDir = stateDirectory(sources, faults)
  return stateDir === null ? null : contextOf(stateDir)
}

/** What the configuration serves. */
function served({ files, metrics, workdirs }: Config) {
  return { mounts: [...mountedBy({ files }).map(({ mount }) => mount), ...(metrics?.port === null ? [METRICS_MOUNT] : [])], aliases: workdirs.map(({ alias }) => alias) }
}
