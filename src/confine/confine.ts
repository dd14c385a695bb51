/** Confinement of the whole process by the kernel, before anything else runs (design: the boundary's fourth lock). */
import type { Config } from "../config/config.ts"
import { ToolError } from "../errors.ts"
import { type Confinement, inForce, without } from "./confinement.ts"
import { exemptRoots } from "./exempt.ts"
import { gatherFacts, type Wishes } from "./facts.ts"
import { kernelHere } from "./kernel.ts"
import type { Landlock } from "./landlock.unsafe.ts"
import { chooseProbe } from "./probe.ts"
import { reexec } from "./reexec.ts"
import { type Confined, resume } from "./resume.ts"
import { SOUND_ABI } from "./rights.ts"
import { type Confinable, rulesFor } from "./rules.ts"
import { makeRuleset } from "./ruleset.ts"

/** What decides the rules. Plain JSON, whatever else it holds: it crosses execve. */
export interface Launch extends Wishes {
  readonly config: Confinable & Pick<Config, "confine">
}

export type Plan = { readonly without: Confinement } | { readonly landlock: Landlock; readonly abi: number; readonly exempt: readonly string[] }

/**
 * Returns once the process is as confined as SERVERFS_CONFINE and the kernel allow. The first time it calls `prepare`,
 * restricts itself and executes the program again, so that every thread and child of the new image is inside; the new image
 * comes here too, and gets the same `launch` back, frozen, without `prepare` (or sooner, from resume()). Nothing heavy
 * should be loaded before.
 * Throws CONFIGURATION_ERROR when `required` cannot be met or the confined image cannot be started, and what `prepare` throws.
 */
export async function confine<T extends Launch>(prepare: () => T | Promise<T>): Promise<Confined<T>> {
  const resumed = resume<T>()
  if (resumed !== null) return resumed

  const launch = await prepare()
  const plan = confinementPlan(launch.config)
  if ("without" in plan) return { launch, confinement: plan.without }
  const { landlock, abi, exempt } = plan
  const facts = gatherFacts(launch)
  const rules = rulesFor(launch.config, facts)
  const handed = { launch, confinement: inForce(abi, exempt), probe: chooseProbe(rules) }
  return reexec(landlock, makeRuleset(landlock, abi, rules), facts.executable, handed)
}

/** How the process can be confined here, or why it is not. Throws CONFIGURATION_ERROR when SERVERFS_CONFINE asks for more. */
export function confinementPlan(config: Launch["config"]): Plan {
  if (config.confine === "off") return { without: without("off", "SERVERFS_CONFINE=off") }

  const { landlock, abi, reason } = kernelHere()
  if (landlock !== null && (config.confine === "auto" || abi >= SOUND_ABI)) {
    const exempt = exemptRoots(config)
    if (config.confine === "auto" || exempt.length === 0) return { landlock, abi, exempt }
    throw new ToolError("CONFIGURATION_ERROR", {
      detail: `SERVERFS_CONFINE=required, but the audit file or the state lies around a read-only root (${exempt.join(", ")}); give it a directory of its own`,
    })
  }

  const lacking = reason ?? `the kernel's Landlock has ABI ${abi}`
  if (config.confine === "auto") return { without: without("unavailable", lacking) }
  throw new ToolError("CONFIGURATION_ERROR", {
    detail: `SERVERFS_CONFINE=required, but ${lacking}; use a kernel with Landlock ABI ${SOUND_ABI} (Linux 6.2) or newer, or set SERVERFS_CONFINE=auto`,
  })
}
