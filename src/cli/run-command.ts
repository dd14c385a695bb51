/** From a command's name to what runs it. Each is loaded only when it is asked for: serve confines the process before anything heavy is loaded. */
import { homedir } from "node:os"
import { dirname } from "node:path"
import type { Config } from "../config/config.ts"
import { type Fault, faultLine } from "../config/fault.ts"
import type { GivenSources } from "../config/given.ts"
import { listenAddress } from "../config/listen-address.ts"
import { type Loaded, loadConfig } from "../config/load.ts"
import type { Environment } from "../config/values.ts"
import type { CommandLine } from "./args.ts"
import { checkReport } from "./check.ts"
import type { CommandName } from "./commands.ts"
import { serve } from "./serve.ts"
import { USAGE } from "./terminal.ts"

/** Where the program's own files are: its package, or the one file it was compiled to. */
function programDirectory(): string {
  return import.meta.dir.startsWith("/$bunfs/") ? process.execPath : dirname(dirname(import.meta.dir))
}

/** null for a user with neither HOME nor a passwd entry, as in containers and under systemd's DynamicUser: homedir() throws. */
function homeDirectory(): string | null {
  try {
    return homedir()
  } catch {
    return null
  }
}

/** Returns the exit status, or null when the gateway runs on. */
export async function runCommand(line: CommandLine, env: Environment): Promise<number | null> {
  const sources = { env, options: line.options, cwd: process.cwd(), home: homeDirectory() }
  const load = (needsDirectory: boolean): Loaded => loadConfig({ ...sources, program: programDirectory(), needsDirectory })
  if (line.check) return configured(load(true), ({ config, lookup }) => {
    console.log(checkReport(config, lookup))
    return 0
  })
  const { command } = line
  if (command === "serve") return serve(() => load(true), line.newToken)
  if (command === "healthcheck") return healthcheck(line.rest, sources)
  if (command === "doctor") {
    const { run } = await import("./doctor.ts")
    return run(line.rest, { ...output, load: () => load(true), env, dirs: line.options.dirs })
  }
  return configured(load(false), ({ config }) => RUNNERS[command](line.rest, config))
}

type Run = (argv: readonly string[], config: Config) => Promise<number>

const output = { stdout: process.stdout, stderr: process.stderr }

const RUNNERS: Readonly<Record<Exclude<CommandName, "serve" | "healthcheck" | "doctor">, Run>> = {
  token: async (argv, config) => {
    const { run } = await import("./token.ts")
    return run(argv, { ...output, stateDir: config.stateDir, served: served(config), now: Date.now() })
  },
  audit: async (argv, config) => {
    const { run } = await import("./audit.ts")
    const interrupted = new AbortController()
    process.on("SIGINT", () => interrupted.abort())
    return run(argv, { ...output, auditFile: config.auditFile?.path ?? null, signal: interrupted.signal })
  },
  connect: async (argv, config) => {
    const { run } = await import("./connect.ts")
    return run(argv, { ...output, config })
  },
}

/** Looks at no directory, unlike the others: one that hangs must not make the gateway seem dead. */
async function healthcheck(argv: readonly string[], sources: GivenSources): Promise<number> {
  const faults: Fault[] = []
  const address = listenAddress(sources, faults)
  for (const fault of faults) console.error(faultLine(fault))
  const { run } = await import("./healthcheck.ts")
  return faults.length > 0 ? USAGE : run(argv, { ...output, address })
}

/** What the configuration serves. */
function served({ files, workdirs }: Config) {
  return { mounts: ["/mcp", ...(files === null ? [] : ["/files-mcp"])], aliases: workdirs.map(({ alias }) => alias) }
}

type Usable = Extract<Loaded, { ok: true }>

function configured<T>(loaded: Loaded, use: (usable: Usable) => T): T | number {
  if (loaded.ok) return use(loaded)
  for (const fault of loaded.faults) console.error(faultLine(fault))
  return USAGE
}
