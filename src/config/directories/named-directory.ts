/** Directories that the command line names, and the current one when nothing names any (contract §7). */
import path from "node:path"
import type { PolicyConfig } from "../config.ts"
import { type Fault, quote } from "../fault.ts"
import { SLOT_COUNT } from "../variables/variables.ts"
import { aliasFor } from "./alias.ts"
import type { Candidate } from "./candidate.ts"
import { absolute, inspectDirectory, mendPath, type Where } from "./directory.ts"

const OPTION = "--dir"

/** `ALIAS=PATH` or `ALIAS=PATH:rw`, each into the lowest slot that is free, under the global policy. */
export function optionCandidates(
  texts: readonly string[], taken: ReadonlySet<number>, policy: PolicyConfig, where: Where, faults: Fault[],
): Candidate[] {
  const free = Array.from({ length: SLOT_COUNT }, (_, i) => i + 1).filter((slot) => !taken.has(slot))
  const candidates: Candidate[] = []
  for (const text of texts) {
    const [, alias, given, rw] = /^([^=]*)=(.*?)(:rw)?$/s.exec(text) ?? []
    const by = `${OPTION} ${text}`
    if (alias === undefined || given === undefined || given === "") {
      const what = given === "" ? "has no path" : "is not accepted"
      faults.push({ variable: OPTION, message: `${quote(text)} ${what}; write ALIAS=PATH, or ALIAS=PATH:rw to allow changes` })
      continue
    }
    const slot = free.shift()
    if (slot === undefined) {
      faults.push({ variable: by, message: `all ${SLOT_COUNT} slots are taken; serve fewer directories` })
      continue
    }
    const directory = absolute(given, where)
    candidates.push({
      slot, alias, description: null, readOnly: rw === undefined, policy,
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
