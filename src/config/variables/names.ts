/** Names nobody reads: a misspelt switch is a fault, anything else that looks like ours a warning (contract §7). */
import type { Fault } from "../fault.ts"
import type { Warning } from "../warning.ts"
import { nearest } from "./nearest.ts"
import { type Environment, isInjectedPort } from "./values.ts"
import { COMPOSE_VARIABLES, SLOT_COUNT, SLOT_VARIABLES, type SlotKey, slotName, type VariableName, VARIABLES } from "./variables.ts"

const OURS = /^(?:SERVERFS_|FILES_MCP_|WORKDIR_[0-9]+_)/
const OF_A_SLOT = /^WORKDIR_([0-9]+)_/
const INJECTED = /_SERVICE_HOST$|_SERVICE_PORT|_PORT_[0-9]+_/
const MISSPELT_EDITS = 2

function namesOfSlot(slot: number): string[] {
  return (Object.keys(SLOT_VARIABLES) as SlotKey[]).map((key) => slotName(slot, key))
}

/** Every variable that is read, those of the 16 slots included. */
export const KNOWN_NAMES: readonly string[] = [
  ...Object.keys(VARIABLES),
  ...Array.from({ length: SLOT_COUNT }, (_, i) => namesOfSlot(i + 1)).flat(),
]

function faultOf(name: string): Fault | undefined {
  const slot = OF_A_SLOT.exec(name)?.[1]
  return slot === undefined ? misspelt(name) : noneOfSlot(name, slot)
}

function misspelt(name: string): Fault | undefined {
  const near = nearest(name, KNOWN_NAMES)
  return near === undefined || near.edits > MISSPELT_EDITS ? undefined : noSuch(name, "", near.word)
}

/** Another slot's name is no correction: that slot may be in use. @param digits as they stand in the name */
function noneOfSlot(name: string, digits: string): Fault {
  const slot = Number(digits)
  const exists = slot >= 1 && slot <= SLOT_COUNT
  const numbering = exists && digits.length === 2 ? "" : `; slots are numbered 01 to ${SLOT_COUNT}`
  return noSuch(name, numbering, exists ? nearest(name, namesOfSlot(slot))?.word : undefined)
}

function noSuch(variable: string, numbering: string, meant: string | undefined): Fault {
  const question = meant === undefined ? "." : `; did you mean ${meant}?`
  return { variable, message: `there is no such variable${numbering}${question} Rename it or remove it` }
}

/** Faults for names that must have been meant for this variable. */
export function misspeltAs(variable: VariableName, env: Environment): Fault[] {
  const strangers = Object.keys(env).filter((name) => OURS.test(name) && !KNOWN_NAMES.includes(name))
  return strangers.filter((name) => nearest(name, KNOWN_NAMES)?.word === variable).map(misspelt).filter((fault) => fault !== undefined)
}

/** Sorts out the names of the environment that look like ours and are not known. Values are not looked at, but for tcp:// ports. */
export function unknownNames(env: Environment, faults: Fault[]): Warning[] {
  const known = new Set([...KNOWN_NAMES, ...Object.keys(COMPOSE_VARIABLES)])
  const warnings: Warning[] = []
  for (const [name, text = ""] of Object.entries(env)) {
    if (!OURS.test(name) || known.has(name) || INJECTED.test(name) || isInjectedPort(name, text)) continue
    const fault = faultOf(name)
    if (fault) faults.push(fault)
    else warnings.push({ event: "config_unknown", variable: name })
  }
  return warnings
}
