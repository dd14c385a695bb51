/** serve: configuration, then confinement, then the gateway. */
import { writeEventNow } from "../audit/write-now.ts"
import type { Config } from "../config/config.ts"
import { type Fault, faultLine } from "../config/fault.ts"
import { FaultError } from "../config/fault-error.ts"
import type { Loaded } from "../config/load.ts"
import type { Warning } from "../config/names.ts"
import { confine } from "../confine/confine.ts"
import type { Wishes } from "../confine/facts.ts"
import { wishesOf } from "../confine/wishes.ts"
import { ToolError } from "../errors.ts"
import { ripgrepOnDisk } from "../search/ripgrep-on-disk.ts"
import { privateDirectory } from "../state/private-directory.ts"

/** What crosses the re-execution: plain JSON. */
interface Launch extends Wishes {
  readonly config: Config
  readonly warnings: readonly Warning[]
}

/** A start that cannot be: reported on stderr, one line a fault, and as one event. */
class StartFailure extends Error {
  readonly faults: readonly Fault[]

  constructor(faults: readonly Fault[]) {
    super("the configuration is not usable")
    this.faults = faults
  }
}

const NOT_USABLE = 2

/** Runs until a signal. Returns an exit status when it could not start. */
export async function serve(load: () => Loaded, newToken: boolean): Promise<number | null> {
  try {
    const { launch, confinement } = await confine(() => prepare(load))
    // Everything heavy comes after the confinement: what is loaded before it is loaded twice.
    const { runGateway } = await import("../gateway.ts")
    return await runGateway({ ...launch, confinement, newToken })
  } catch (error) {
    return report(error)
  }
}

async function prepare(load: () => Loaded): Promise<Launch> {
  const loaded = load()
  if (!loaded.ok) throw new StartFailure(loaded.faults)
  const { config, warnings } = loaded
  // The kernel's rule needs the directory to be there.
  privateDirectory(config.stateDir)
  return { config, warnings, ...wishesOf(config, await ripgrepOnDisk()) }
}

function faultsOf(error: unknown): readonly Fault[] | null {
  if (error instanceof StartFailure) return error.faults
  if (error instanceof FaultError) return [error]
  if (error instanceof ToolError && error.code === "CONFIGURATION_ERROR") return [{ variable: "SERVERFS_CONFINE", message: [error.about.detail, error.about.advice].filter(Boolean).join("; ") }]
  return null
}

function report(error: unknown): number {
  const faults = faultsOf(error)
  if (faults === null) throw error
  for (const fault of faults) console.error(faultLine(fault))
  writeEventNow("startup_failed", { faults: faults.length, variables: faults.map(({ variable }) => variable) })
  return NOT_USABLE
}
