import { compileName } from "./glob.ts"

/** How many of the pattern's components are matched, one number for each way there is; ascending. */
export type PathState = readonly number[]

/**
 * A glob on a path, matched one component at a time, so that a walk need not enter a directory that can't lead to a
 * match. A step costs at most one name match for each component of the pattern, whatever came before.
 */
export interface PathGlob {
  readonly start: PathState
  /** One component further down. */
  step(state: PathState, name: string): PathState
  /** The path that led to this state matches. */
  accepts(state: PathState): boolean
  /** Something below the path that led to this state may match. */
  leads(state: PathState): boolean
}

interface Component {
  readonly matches: (name: string) => boolean
  /** Any number of directories may come before it. */
  readonly deep: boolean
}

const CROSSING = /^\*\*+$/

/**
 * Compiles a path glob. Each component is a name glob; `**` crosses directories: any number of them, and at the end of
 * the pattern whatever is inside (`src/**` is everything below src, not src itself). A `**` that begins or ends a
 * component crosses as well (`**.ts` is every .ts below); in the middle of a name it is `*`. Empty and `.` components
 * are dropped, so that a leading `/` or `./` changes nothing. Never fails.
 */
export function compilePath(glob: string): PathGlob {
  const parts = glob.split("/").filter((part) => part !== "" && part !== ".")
  const components: Component[] = []
  let deep = false
  for (const part of parts) {
    if (!CROSSING.test(part)) components.push({ matches: compileName(part), deep: deep || part.startsWith("**") })
    deep = part.endsWith("**")
  }
  if (CROSSING.test(parts.at(-1) ?? "")) components.push({ matches: () => true, deep: true })
  const all = components.length
  const open = deep

  return {
    start: [0],
    step: (state, name) => {
      const next: number[] = []
      for (const matched of state) {
        const component = components[matched]
        const stays = component ? component.deep : open
        if (stays && next.at(-1) !== matched) next.push(matched)
        if (component?.matches(name)) next.push(matched + 1)
      }
      return next
    },
    accepts: (state) => state.at(-1) === all,
    leads: (state) => state.some((matched) => matched < all || open),
  }
}

const MISS: PathState = [0]
const HIT: PathState = [1]

/** A name glob at any depth, as if `**` and a slash came before it. Never fails. */
export function compileAnyDepth(nameGlob: string): PathGlob {
  const matches = compileName(nameGlob)
  return {
    start: MISS,
    step: (_, name) => (matches(name) ? HIT : MISS),
    accepts: (state) => state === HIT,
    leads: () => true,
  }
}
