/** From a command's name to what runs it. Each is loaded only when it is asked for: serve confines the process before anything heavy is loaded. */
import { homedir } from "node:os"
import { dirname } from "node:path"
import { faultLine } from "../config/fault.ts"
import { type Loaded, loadConfig } from "../config/load.ts"
import type { Environment } from "../config/values.ts"
import type { CommandLine } from "./args.ts"
import { checkReport } from "./check.ts"
import { serve } from "./serve.ts"

const NOT_USABLE = 2

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

/** Reads the configuration once. */
function load(line: CommandLine, env: Environment): Loaded {
  const needsDirectory = line.check || line.command === "serve" || line.command === "doctor"
  return loadConfig({ env, options: line.options, program: programDirectory(), cwd: process.cwd(), home: homeDirectory(), needsDirectory })
}

/** Returns the exit status, or null when the gateway runs on. */
export async function runCommand(line: CommandLine, env: Environment): Promise<number | null> {
  if (line.check) return check(load(line, env))
  switch (line.command) {
    case "serve": return serve(() => load(line, env), line.newToken)
    default: return NOT_USABLE
  }
}

function check(loaded: Loaded): number {
  if (!loaded.ok) {
    for (const fault of loaded.faults) console.error(faultLine(fault))
    return NOT_USABLE
  }
  console.log(checkReport(loaded.config, loaded.lookup))
  return 0
}
