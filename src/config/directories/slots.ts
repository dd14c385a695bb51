/** The sixteen slots of the environment: which are off, which are wrong, which ask to be served (contract §7, "Slots"). */
import path from "node:path"
import type { PolicyConfig } from "../config.ts"
import { type Fault, quote } from "../fault.ts"
import { type Lookup, readSlot, type SlotValues } from "../variables/values.ts"
import { SLOT_COUNT, SLOT_VARIABLES, type SlotKey, slotName } from "../variables/variables.ts"
import type { Candidate } from "./candidate.ts"
import { absolute, type Inspection, inspectDirectory, mendPath, type Where } from "./directory.ts"
import { SENTINEL } from "./sentinel.ts"

export interface SlotContext {
  readonly lookup: Lookup
  readonly where: Where
  /** Real path of $SERVERFS_WORKDIRS_ROOT; null when this machine has none. */
  readonly layout: string | null
  readonly policy: PolicyConfig
}

/** True when any variable of any slot is given. */
export function anySlotGiven(lookup: Lookup): boolean {
  const keys = Object.keys(SLOT_VARIABLES) as SlotKey[]
  return Array.from({ length: SLOT_COUNT }, (_, i) => i + 1).some((slot) => keys.some((key) => lookup(slotName(slot, key)) !== undefined))
}

/** The policy of a slot: its own switch where it has one, the union of both lists of globs (contract §4). */
function policyOf(values: SlotValues, policy: PolicyConfig): PolicyConfig {
  return {
    allowHidden: values.ALLOW_HIDDEN ?? policy.allowHidden,
    disableDefaultDeny: values.DISABLE_DEFAULT_DENY ?? policy.disableDefaultDeny,
    extraDenyGlobs: [...new Set([...policy.extraDenyGlobs, ...(values.EXTRA_DENY_GLOBS ?? [])])],
  }
}

interface SlotDirectory {
  readonly path: string
  readonly inspection: Inspection
  readonly byLayout: boolean
}

function directoryOf(slot: number, values: SlotValues, { where, layout }: SlotContext): SlotDirectory | null {
  if (values.PATH !== null) {
    const given = absolute(values.PATH, where)
    return { path: given, inspection: inspectDirectory(given, slotName(slot, "PATH"), where), byLayout: false }
  }
  if (layout === null) return null
  const inLayout = path.join(layout, String(slot).padStart(2, "0"))
  return { path: inLayout, inspection: inspectDirectory(inLayout, "SERVERFS_WORKDIRS_ROOT", where), byLayout: true }
}

const NOWHERE: Inspection = { kind: "absent", why: "has an alias, but no directory" }

/** One slot: a candidate, or null when it is off or at fault. */
function candidateOf(slot: number, context: SlotContext, faults: Fault[]): Candidate | null {
  const values = readSlot(slot, context.lookup, faults)
  const name = (key: SlotKey) => slotName(slot, key)
  const directory = directoryOf(slot, values, context)
  const inspection = directory?.inspection ?? NOWHERE
  const sentinel = directory?.byLayout && inspection.kind === "directory" ? inspection.sentinel : "none"

  if (sentinel === "beside others") {
    const message = `${quote(directory?.path ?? "")} holds ${SENTINEL} beside other entries, and that name is reserved for empty placeholders; remove it`
    faults.push({ variable: name("PATH"), message })
    return null
  }
  const unnamed = values.ALIAS === null
  if (unnamed && sentinel === "none" && (values.PATH !== null || inspection.kind === "directory")) {
    faults.push({ variable: name("ALIAS"), message: "alias is empty, but the slot has a directory; name it, or remove the directory" })
    return null
  }
  if ((unnamed || sentinel === "alone") && !values.READ_ONLY) {
    faults.push({ variable: name("READ_ONLY"), message: "false on a disabled slot; give the slot an alias and a directory, or remove this" })
  }
  if (values.ALIAS === null) return null
  if (sentinel === "alone") {
    faults.push({ variable: name("ALIAS"), message: `the slot is disabled (no path bound); set ${name("PATH")}, or remove the alias` })
    return null
  }
  return {
    slot,
    alias: values.ALIAS,
    description: values.DESCRIPTION,
    readOnly: values.READ_ONLY,
    policy: policyOf(values, context.policy),
    inspection,
    subject: directory === null ? "the slot" : quote(directory.path),
    fix: directory === null ? `set this, or remove ${name("ALIAS")}` : mendPath(directory.path, `it is read-only unless ${name("READ_ONLY")}=false`),
    named: name("ALIAS"),
    bound: name("PATH"),
  }
}

/** What the slots ask to be served, in slot order. */
export function slotCandidates(context: SlotContext, faults: Fault[]): Candidate[] {
  const slots = Array.from({ length: SLOT_COUNT }, (_, i) => candidateOf(i + 1, context, faults))
  return slots.filter((each) => each !== null)
}
