/** Directories that must keep apart (contract §7, "Overlap"). */
import type { Fault } from "../fault.ts"
import type { Mount } from "./mounts.ts"
import { relation, type Spot, spotOf } from "./spot.ts"

/** A directory that is served, or a path of the gateway's own. */
export interface Claim {
  /** For messages: "the workdir 'docs'", "the state directory". */
  readonly what: string
  /** The variable or option that moves it; null = nothing does, so that the other one of a pair has to go. */
  readonly by: string | null
  /** Absolute. */
  readonly path: string
}

export interface RootClaim extends Claim {
  readonly by: string
  readonly readOnly: boolean
}

export interface Claims {
  readonly workdirs: readonly RootClaim[]
  readonly files: RootClaim | null
  /** What no agent may be able to change: state, audit, the program. Apart from every writable root. */
  readonly guarded: readonly Claim[]
  /** Files that hold secrets. Outside every root, a read-only one too. */
  readonly secrets: readonly Claim[]
}

interface Placed<C extends Claim> {
  readonly claim: C
  readonly spot: Spot
}

/** One fault for each pair that overlaps and may not. */
export function overlapFaults(claims: Claims, mounts: readonly Mount[]): Fault[] {
  const placed = <C extends Claim>(claim: C): Placed<C> => ({ claim, spot: spotOf(claim.path, mounts) })
  const workdirs = claims.workdirs.map(placed)
  const files = claims.files === null ? [] : [placed(claims.files)]
  const roots = [...workdirs, ...files]
  const faults: Fault[] = []
  const keepApart = (one: Placed<Claim>, root: Placed<RootClaim>, fix: string) => {
    const [a, b] = one.claim.by === null ? [root, one] : [one, root]
    const how = relation(a.spot, b.spot)
    if (how === null) return
    const other = b.claim.by === null ? b.claim.what : `${b.claim.what} (${b.claim.by})`
    faults.push({ variable: a.claim.by ?? root.claim.by, message: `${a.claim.what} ${how} ${other}; ${fix}` })
  }

  for (const [i, one] of workdirs.entries()) {
    for (const other of workdirs.slice(0, i)) {
      if (one.claim.readOnly && other.claim.readOnly) continue
      keepApart(one, other, "make both read-only, or choose directories that do not overlap")
    }
  }
  for (const one of files) {
    for (const other of workdirs) keepApart(one, other, "the two services may not share a directory")
  }
  for (const one of claims.guarded.map(placed)) {
    for (const root of roots.filter(({ claim }) => !claim.readOnly)) keepApart(one, root, "move it apart, or make that directory read-only")
  }
  for (const one of claims.secrets.map(placed)) {
    for (const root of roots) keepApart(one, root, "move it, or every agent with access there can read it")
  }
  return faults
}
