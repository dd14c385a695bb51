/** The program: reads the command line, hands over to a command. The environment is read here alone. */
import { parseCommandLine } from "./cli/args.ts"
import { helpText } from "./cli/help.ts"
import { unsupported } from "./cli/platform.ts"
import { runCommand } from "./cli/run-command.ts"
import { faultLine } from "./config/fault.ts"
import { VERSION } from "./version.ts"

const USAGE_ERROR = 2

/** The exit status; null = the gateway runs on until it is told to stop. */
async function main(argv: readonly string[]): Promise<number | null> {
  const reason = unsupported(process.platform)
  if (reason !== null) {
    console.error(reason)
    return 1
  }
  const parsed = parseCommandLine(argv)
  if (!parsed.ok) {
    for (const fault of parsed.faults) console.error(faultLine(fault))
    return USAGE_ERROR
  }
  if (parsed.line.help || parsed.line.version) {
    console.log(parsed.line.help ? helpText(VERSION) : VERSION)
    return 0
  }
  return runCommand(parsed.line, process.env)
}

const status = await main(process.argv.slice(2))
if (status !== null) process.exit(status)
