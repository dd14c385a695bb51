/** The beginning of a directory in order, without ever holding many more names than that. */
import { batches } from "../fs/dir.ts"
import type { Fd } from "../fs/fd.ts"
import { sortNames } from "../workdir/order.ts"
import type { Policy } from "../workdir/policy.ts"
import type { Call } from "./operation.ts"

export interface FirstNames {
  /** By code point. */
  readonly names: readonly string[]
  /** Names that are not valid UTF-8: they cannot be addressed and are left out. */
  readonly undecodable: number
}

/** Names kept beyond the first ones before the collection is cut back to them. */
const SLACK = 50_000

/** The first `count` names that the policy admits. @param given the path as the caller wrote it, for errors */
export async function firstNames(dir: Fd, given: string, count: number, policy: Policy, call: Call): Promise<FirstNames> {
  let names: string[] = []
  let undecodable = 0
  for (const batch of batches(dir, given)) {
    for (const { name } of batch) {
      if (name === null) undecodable++
      else if (policy.refuses(name) === null) names.push(name)
    }
    if (names.length > count + SLACK) names = sortNames(names).slice(0, count)
    await call.breathe()
  }
  return { names: sortNames(names).slice(0, count), undecodable }
}
