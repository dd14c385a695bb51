/** The program. The confined image of a gateway (confine/) goes straight on to it; any other reads the command line. */
import { resume } from "./confine/resume.ts"
import type { Launch } from "./config/launch.ts"

/** The exit status; null = the gateway runs on until it is told to stop. */
async function main(): Promise<number | null> {
  try {
    // Doctor's prisoner is confined as a gateway is, and is none.
    const resumed = process.argv.includes("--break-out") ? null : resume<Launch>()
    if (resumed !== null) {
      const { runGateway } = await import("./gateway.ts")
      return await runGateway(resumed)
    }
    const { runCommandLine } = await import("./cli/run-command-line.ts")
    return await runCommandLine(process.argv.slice(2))
  } catch (error) {
    const { reportFailure } = await import("./cli/report-failure.ts")
    return reportFailure(error)
  }
}

const status = await main()
if (status !== null) process.exit(status)
