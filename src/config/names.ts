/** Names nobody reads: a misspelt switch is a fault, anything else that looks like ours a warning (contract §7). */
import type { Fault } from "./fault.ts"
import { nearest } from "./nearest.ts"
import { type Environment, isInjectedPort } from "./values.ts"
import { COMPOSE_VARIABLES, SLOT_COUNT, SLOT_VARIABLES, type SlotKey, slotName, VARIABLES } from "./variables.ts"

const OURS = /^(?:SERVERFS_|FILES_MCP_|WORKDIR_[0-9]+_)/
const OF_A_SLOT = /^WORKDIR_([0-9]+)_/
const INJECTED = /_SERVICE_HOST$|_SERVICE_PORT|_PORT_[0-9]+_/
const MISSPELT_EDITS = 2

/** Every variable that is read, those of the 16 slots included. */
export const KNOWN_NAMES: readonly string[] = [
  ...Object.keys(VARIABLES),
  ...Array.from({ length: SLOT_COUNT }, (_, i) => (Object.keys(SLOT_VARIABLES) as SlotKey[]).map((key) => slotName(i + 1, key))).flat(),
]

/** An event for the audit. */
export interface Warning {
  readonly event: "config_unknown"
  readonly variable: string
}

function faultOf(name: string): Fault | undefined {
  const near = nearest(name, KNOWN_NAMES)
  if (near === undefined) return undefined
  const slot = OF_A_SLOT.exec(name)?.[1]
  if (slot === undefined && near.edits > MISSPELT_EDITS) return undefined
  const numbers = slot !== undefined && (slot.length !== 2 || Number(slot) < 1 || Number(slot) > SLOT_COUNT)
  const slots = numbers ? `slots are numbered 01 to ${SLOT_COUNT}; ` : ""
  return { variable: name, message: `there is no such variable; ${slots}did you mean ${near.word}? Rename it or remove it` }
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
