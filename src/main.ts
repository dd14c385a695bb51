/** The program. The confined image of it (confine/) goes straight to the gateway; any other reads the command line. */
import { resume } from "./confine/resume.ts"
import type { Launch } from "./config/launch.ts"

/** The exit status; null = the gateway runs on until it is told to stop. */
async function main(): Promise<number | null> {
  try {
    const resumed = resume<Launch>()
    if (resumed !== null) {
      const { runGateway } = await import("./gateway.ts")
      return await runGateway(resumed)
    }
    const { runCommandLine } = await import("./cli/run-command-line.ts")
    return await runCommandLine(process.argv.slice(2), process.env)
  } catch (error) {
    const { reportFailure } = await import("./cli/report-failure.ts")
    return reportFailure(error)
  }
}

const status = await main()
if (status !== null) process.exit(status)
