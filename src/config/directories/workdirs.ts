/** Which directories ServerFS serves: the slots', the command line's, or the current one when nothing names any. */
import type { PolicyConfig } from "../config.ts"
import { type Fault, quote } from "../fault.ts"
import type { Lookup, Values } from "../variables/values.ts"
import { type Candidate, duplicateFaults, enable, type Enabled } from "./candidate.ts"
import { absolute, inspectDirectory, type Where } from "./directory.ts"
import { currentDirectory, optionCandidates } from "./named-directory.ts"
import { anySlotGiven, slotCandidates } from "./slots.ts"
import { relation, spotOf } from "./spot.ts"

export interface WorkdirContext {
  readonly lookup: Lookup
  readonly values: Values
  readonly where: Where
  /** The texts of --dir. */
  readonly dirs: readonly string[]
  /** null = there is none to keep clear of. */
  readonly stateDir: string | null
  /** Whether it is a fault when the current directory is the only choice and may not be served. */
  readonly needsDirectory: boolean
}

export interface Workdirs {
  /** In slot order, 16 at most. */
  readonly enabled: readonly Enabled[]
  readonly zeroConfig: boolean
}

/** The container layout's directory; null when this machine has none. */
function layoutOf(values: Values, where: Where, faults: Fault[]): string | null {
  const directory = absolute(values.SERVERFS_WORKDIRS_ROOT, where)
  const inspection = inspectDirectory(directory, "SERVERFS_WORKDIRS_ROOT", where)
  if (inspection.kind === "directory") return inspection.real
  if (inspection.kind === "unusable") faults.push({ variable: "SERVERFS_WORKDIRS_ROOT", message: `${quote(directory)} ${inspection.why}; make it a readable directory` })
  return null
}

/** Why this directory is not served unless it is asked for by name; null when it may be. */
function unaskable({ cwd, home, watch }: Where, stateDir: string | null): string | null {
  watch?.("the home directory", home ?? cwd)
  const here = spotOf(cwd, [])
  if (here.above.length === 0) return "the root of the file system"
  const toHome = home === null ? null : relation(here, spotOf(home, []))
  if (toHome === "is the same directory as") return "the home directory"
  if (toHome === "contains") return "a directory around the home directory"
  const toState = stateDir === null ? null : relation(here, spotOf(stateDir, []))
  return toState === null || toState === "contains" ? null : "the gateway's state directory"
}

function theCurrentOne({ where, stateDir, needsDirectory }: WorkdirContext, policy: PolicyConfig, faults: Fault[]): Candidate[] {
  const why = unaskable(where, stateDir)
  if (why === null) return [currentDirectory(where, policy)]
  const message = `nothing is configured, and the current directory is ${why}, which is not served unasked; name one: --dir ALIAS=PATH`
  if (needsDirectory) faults.push({ variable: "--dir", message })
  return []
}

/** Finds them all; whatever is wrong with one of them is a fault. */
export function findWorkdirs(context: WorkdirContext, faults: Fault[]): Workdirs {
  const { lookup, values, where, dirs } = context
  const policy = {
    allowHidden: values.SERVERFS_ALLOW_HIDDEN,
    disableDefaultDeny: values.SERVERFS_DISABLE_DEFAULT_DENY,
    extraDenyGlobs: values.SERVERFS_EXTRA_DENY_GLOBS ?? [],
  }
  const layout = layoutOf(values, where, faults)
  const zeroConfig = dirs.length === 0 && layout === null && values.FILES_MCP_ROOT === null && !anySlotGiven(lookup)
  const slots = zeroConfig ? theCurrentOne(context, policy, faults) : slotCandidates({ lookup, where, layout, policy }, faults)
  const taken = new Set(slots.map(({ slot }) => slot))
  const candidates = [...slots, ...optionCandidates(dirs, taken, policy, where, faults)]
  faults.push(...duplicateFaults(candidates))
  const enabled = candidates.map((each) => enable(each, faults)).filter((each) => each !== undefined)
  return { enabled: enabled.sort((a, b) => a.slot - b.slot), zeroConfig }
}
