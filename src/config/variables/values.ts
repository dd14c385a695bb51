/** The table of variables, read: each text checked by its kind, each fault noted, the default kept in its place. */
import { type Fault, quote } from "../fault.ts"
import { SLOT_VARIABLES, type SlotKey, slotName, type ValueOf, type Variable, type VariableName, VARIABLES } from "./variables.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** A text that was given, and by what: the variable itself, or the option that overrides it. */
export interface Given {
  readonly text: string
  readonly by: string
}

/** What was given for a variable; undefined = nothing, which is the default. */
export type Lookup = (name: string) => Given | undefined

export type Values = { readonly [N in VariableName]: ValueOf<(typeof VARIABLES)[N]> }
export type SlotValues = { readonly [K in SlotKey]: ValueOf<(typeof SLOT_VARIABLES)[K]> }

// Kubernetes injects NAME_PORT=tcp://10.0.0.1:80 for every service of the namespace: one called "serverfs" sets SERVERFS_PORT.
const INJECTED_PORT = /^(?:tcp|udp|sctp):\/\//

/** True for a name and value that an orchestrator sets for a service it knows, never an operator for us. */
export function isInjectedPort(name: string, text: string): boolean {
  return name.endsWith("_PORT") && INJECTED_PORT.test(text)
}

/** Looks in the options first, then in the environment; an empty variable counts as not given. */
export function lookupIn(env: Environment, overrides: Readonly<Record<string, Given>>): Lookup {
  return (name) => {
    const text = env[name] ?? ""
    return overrides[name] ?? (text === "" || isInjectedPort(name, text) ? undefined : { text, by: name })
  }
}

function read(name: string, variable: Variable<unknown>, lookup: Lookup, faults: Fault[]): unknown {
  const fallback = variable.default === "" ? null : variable.kind.parse(variable.default)
  const given = lookup(name)
  if (given === undefined) return fallback
  const value = given.text === "" ? undefined : variable.kind.parse(given.text)
  if (value !== undefined) return value
  const shown = variable.kind.secret === undefined ? quote(given.text) : "the value"
  const unset = variable.default === "" ? "" : ` (default ${variable.default})`
  faults.push({ variable: given.by, message: `${shown} is not accepted; give ${variable.kind.accepts}${unset}` })
  return fallback
}

/** One variable. */
export function readValue<N extends VariableName>(name: N, lookup: Lookup, faults: Fault[]): Values[N] {
  return read(name, VARIABLES[name], lookup, faults) as Values[N] // as readValues()
}

/** All variables but those of the slots. */
export function readValues(lookup: Lookup, faults: Fault[]): Values {
  const pairs = Object.entries(VARIABLES).map(([name, variable]) => [name, read(name, variable, lookup, faults)])
  return Object.fromEntries(pairs) as Values // entries lose which name goes with which kind; the table has both
}

/** The variables of one slot, 1 to 16. */
export function readSlot(slot: number, lookup: Lookup, faults: Fault[]): SlotValues {
  const pairs = (Object.keys(SLOT_VARIABLES) as SlotKey[]).map((key) => [key, read(slotName(slot, key), SLOT_VARIABLES[key], lookup, faults)])
  return Object.fromEntries(pairs) as SlotValues
}
