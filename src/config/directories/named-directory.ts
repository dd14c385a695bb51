/** Directories that the command line names, and the current one when nothing names any (contract §7). */
import path from "node:path"
import type { PolicyConfig } from "../config.ts"
import { type Fault, quote } from "../fault.ts"
import { SLOT_COUNT } from "../variables/variables.ts"
import { aliasFor } from "./alias.ts"
import type { Candidate } from "./candidate.ts"
import { absolute, inspectDirectory, mendPath, type Where } from "./directory.ts"

const OPTION = "--dir"

export interface NamedDirectory {
  readonly alias: string
  /** As it was given; "" when it is missing. */
  readonly path: string
  readonly readOnly: boolean
}

/** `ALIAS=PATH` or `ALIAS=PATH:rw`; null for anything else. */
export function parseNamed(text: string): NamedDirectory | null {
  const [, alias, given, rw] = /^([^=]*)=(.*?)(:rw)?$/s.exec(text) ?? []
  return alias === undefined || given === undefined ? null : { alias, path: given, readOnly: rw === undefined }
}

/** Those of --dir, each into the lowest slot that is free, under the global policy. */
export function optionCandidates(
  texts: readonly string[], taken: ReadonlySet<number>, policy: PolicyConfig, where: Where, faults: Fault[],
): Candidate[] {
  const free = Array.from({ length: SLOT_COUNT }, (_, i) => i + 1).filter((slot) => !taken.has(slot))
  const candidates: Candidate[] = []
  for (const text of texts) {
    const named = parseNamed(text)
    const by = `${OPTION} ${text}`
    if (named === null || named.path === "") {
      const what = named === null ? "is not accepted" : "has no path"
      faults.push({ variable: OPTION, message: `${quote(text)} ${what}; write ALIAS=PATH, or ALIAS=PATH:rw to allow changes` })
      continue
    }
    const slot = free.shift()
    if (slot === undefined) {
      faults.push({ variable: by, message: `all ${SLOT_COUNT} slots are taken; serve fewer directories` })
      continue
    }
    const { alias, readOnly } = named
    const directory = absolute(named.path, where)
    candidates.push({
      slot, alias, description: null, readOnly, policy,
      inspection: inspectDirectory(directory, by, where), subject: quote(directory), fix: mendPath(directory, "it is read-only unless :rw ends the option"),
      named: by, bound: by,
    })
  }
  return candidates
}

/** The current directory, read-only, under its own name. Whether it may be served is for the caller to say. */
export function currentDirectory(where: Where, policy: PolicyConfig): Candidate {
  const by = "the current directory"
  const { cwd } = where
  const alias = aliasFor(path.basename(cwd))
  const inspection = inspectDirectory(cwd, by, where)
  return { slot: 1, alias, description: null, readOnly: true, policy, inspection, subject: quote(cwd), fix: "name one: --dir ALIAS=PATH", named: by, bound: by }
}
