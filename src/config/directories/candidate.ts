/** A directory that somebody asked to be served, before it is known to be fit for it. */
import type { WorkdirConfig } from "../config.ts"
import { type Fault, quote } from "../fault.ts"
import { isAlias } from "./alias.ts"
import type { Inspection } from "./directory.ts"
import { SENTINEL } from "./sentinel.ts"

export interface Candidate extends Omit<WorkdirConfig, "root"> {
  /** Where it stands in list_workdirs, 1 to 16. */
  readonly slot: number
  readonly inspection: Inspection
  /** What the inspection was of, as a message begins: the path in quotes. */
  readonly subject: string
  /** What would mend a directory that can't be used. */
  readonly fix: string
  /** What names the alias, and what binds the directory: variables, or the option. */
  readonly named: string
  readonly bound: string
}

/** A workdir and what it came from, for messages about several. */
export interface Enabled {
  readonly slot: number
  readonly bound: string
  readonly workdir: WorkdirConfig
}

/** The candidate as a workdir, or its faults: the alias's and the directory's. */
export function enable(candidate: Candidate, faults: Fault[]): Enabled | undefined {
  const { slot, inspection, subject, fix, named, bound, ...workdir } = candidate
  const found: Fault[] = []
  if (!isAlias(workdir.alias)) {
    const message = `the alias ${quote(workdir.alias)} is not valid; use a letter, then up to 31 letters, digits, _ or -`
    found.push({ variable: named, message })
  }
  if (inspection.kind !== "directory") {
    found.push({ variable: bound, message: `${subject} ${inspection.why}; ${fix}` })
  } else if (inspection.sentinel !== "none") {
    found.push({ variable: bound, message: `${subject} holds ${SENTINEL}, a reserved name; remove that entry, or choose another directory` })
  }
  faults.push(...found)
  if (inspection.kind !== "directory" || found.length > 0) return undefined
  return { slot, bound, workdir: { ...workdir, root: inspection.real } }
}

/** Faults for aliases that two candidates share; each names both. */
export function duplicateFaults(candidates: readonly Candidate[]): Fault[] {
  const first = new Map<string, Candidate>()
  const faults: Fault[] = []
  for (const candidate of candidates) {
    const other = first.get(candidate.alias)
    if (other === undefined) first.set(candidate.alias, candidate)
    else faults.push({ variable: candidate.named, message: `the alias ${quote(candidate.alias)} is taken by ${other.named}; choose another` })
  }
  return faults
}
