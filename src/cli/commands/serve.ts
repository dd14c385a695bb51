/** serve: configuration, then confinement, then the gateway. */
import type { Launch } from "../../config/launch.ts"
import type { Loaded } from "../../config/load.ts"
import { confine } from "../../confine/confine.ts"
import { wishesOf } from "../../confine/wishes.ts"
import { ripgrepOnDisk } from "../../search/ripgrep-on-disk.ts"
import { privateDirectory } from "../../state/private-directory.ts"
import { StartFailure } from "../report-failure.ts"
import { outlookOf } from "../start-faults.ts"

/** Where the kernel can confine it, the process is replaced here and goes on in main.ts. Throws what report-failure.ts tells. */
export async function serve(load: () => Promise<Loaded>, newToken: boolean): Promise<number | null> {
  const confined = await confine(() => prepare(load, newToken))
  const { runGateway } = await import("../../gateway.ts")
  return runGateway(confined)
}

async function prepare(load: () => Promise<Loaded>, newToken: boolean): Promise<Launch> {
  const loaded = await load()
  const { faults } = outlookOf(loaded, Date.now())
  if (!loaded.ok || faults.length > 0) throw new StartFailure(faults)
  const { config, warnings } = loaded
  // The kernel's rule needs the directory to be there.
  privateDirectory(config.stateDir)
  return { config, warnings, newToken, ...wishesOf(config, await ripgrepOnDisk()) }
}
