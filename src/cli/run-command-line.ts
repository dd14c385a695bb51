/** From the command line to what it asks for. */
import { homedir } from "node:os"
import { dirname } from "node:path"
import { loadInTime } from "../config/load-in-time.ts"
import type { ConfigOptions, GivenSources } from "../config/variables/given.ts"
import { VERSION } from "../version.ts"
import { parseCommandLine } from "./args.ts"
import { helpText } from "./help.ts"
import { ownEnvironment } from "./own-environment.ts"
import { unsupported } from "./platform.ts"
import { check, type Invocation, refuse, refuseStart, RUNNERS } from "./runners.ts"
import { writeOut } from "./stdout.ts"
import { DONE, FAILED } from "./terminal.ts"

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
export async function runCommandLine(argv: readonly string[]): Promise<number | null> {
  const reason = unsupported(process.platform)
  if (reason !== null) {
    console.error(reason)
    return FAILED
  }
  const parsed = parseCommandLine(argv)
  if (!parsed.ok) return parsed.start === null ? refuse(parsed.faults) : refuseStart(parsed.faults, parsed.start.check, loaderOf(sourcesOf(parsed.start.options)))
  const { command, help, version, ...line } = parsed.line
  if (help || version) {
    writeOut(`${help ? helpText(VERSION) : VERSION}\n`)
    return DONE
  }
  const sources = sourcesOf(line.options)
  return (line.check ? check : RUNNERS[command])({ ...line, sources, load: loaderOf(sources) })
}

function sourcesOf(options: ConfigOptions): GivenSources {
  return { env: ownEnvironment(), options, cwd: process.cwd(), home: homeDirectory() }
}

function loaderOf(sources: GivenSources): Invocation["load"] {
  return (needsDirectory) => loadInTime({ ...sources, program: programDirectory(), needsDirectory })
}
