/** Which parts of a file live on through its edits: what a diff needs to know, exact where comparing texts would guess. */
import type { Replacement } from "./edits.ts"

/** Bytes `from` … of the source stand at `at` … in the working text. */
export interface Kept {
  readonly from: number
  readonly at: number
  readonly length: number
}

/** Before any edit. @param length bytes of the source */
export function keptWhole(length: number): Kept[] {
  return length === 0 ? [] : [{ from: 0, at: 0, length }]
}

/** The same runs behind a BOM, which lives on by itself. @param bom its length, 0 for none */
export function behindBom(bom: number, kept: readonly Kept[]): readonly Kept[] {
  if (bom === 0) return kept
  const shifted = kept.map(({ from, at, length }) => ({ from: from + bom, at: at + bom, length }))
  const [first, ...rest] = shifted
  // Not in two runs where it is one: a line that begins with the BOM would be whole in neither.
  if (first?.from !== bom || first.at !== bom) return [{ from: 0, at: 0, length: bom }, ...shifted]
  return [{ from: 0, at: 0, length: bom + first.length }, ...rest]
}

/** What is left of the kept runs after one more edit; both are in order, and so is the result. */
export function cut(kept: readonly Kept[], { starts, removed, added }: Replacement): Kept[] {
  const left: Kept[] = []
  /** The first match that does not end before the place that is looked at. */
  let next = 0
  const startOf = (match: number) => starts[match] ?? Number.POSITIVE_INFINITY
  for (const run of kept) {
    const end = run.at + run.length
    let at = run.at
    while (startOf(next) + removed <= at) next++
    while (at < end) {
      const stop = Math.min(startOf(next), end)
      if (stop > at) left.push({ from: run.from + at - run.at, at: at + next * (added - removed), length: stop - at })
      if (stop === end) break
      at = startOf(next) + removed
      // A match that reaches into the next run is still to be seen there.
      if (at <= end) next++
    }
  }
  return left
}
