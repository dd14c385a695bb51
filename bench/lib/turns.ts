/** Two sides taking turns: the machine drifts, so only what ran a moment apart is compared. */
import { median } from "./statistics.ts"

export interface Turn<T> {
  readonly ours: T
  readonly theirs: T
}

export type Measure<T> = () => T | Promise<T>

/** One turn of each to warm up, then `pairs` that count; who goes first changes each time. */
export async function takeTurns<T>(pairs: number, ours: Measure<T>, theirs: Measure<T>): Promise<Turn<T>[]> {
  await ours()
  await theirs()
  const turns: Turn<T>[] = []
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) turns.push({ ours: await ours(), theirs: await theirs() })
    else {
      const first = await theirs()
      turns.push({ ours: await ours(), theirs: first })
    }
  }
  return turns
}

export interface Comparison {
  /** Medians of each side, and of the quotients of the pairs. */
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
}

export function compare<T>(turns: readonly Turn<T>[], figure: (side: T) => number): Comparison {
  return {
    ours: median(turns.map(({ ours }) => figure(ours))),
    theirs: median(turns.map(({ theirs }) => figure(theirs))),
    ratio: median(turns.map(({ ours, theirs }) => figure(ours) / figure(theirs))),
  }
}
