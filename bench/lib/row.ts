/** What a group of rows is given, and what a row says. */
import type { Comparison } from "./turns.ts"

export interface Bench {
  /** A large real tree: the kernel's source. */
  readonly tree: string
  /** Of this run alone, on a disk; removed at its end. */
  readonly scratch: string
  readonly pairs: number
  /** Calls of one turn, and of the long run in memory.ts. */
  readonly calls: number
  readonly longRun: number
}

export interface Row {
  readonly work: string
  /** Each with its unit. */
  readonly ours: string
  readonly reference: string
  readonly ratio: number | null
  readonly target: string
  readonly met: boolean
}

type Unit = (value: number) => string

export function atLeast(limit: number, work: string, compared: Comparison, unit: Unit, reference: string): Row {
  return { ...between(work, compared, unit, reference), target: `≥ ${limit}×`, met: compared.ratio >= limit }
}

export function atMost(limit: number, work: string, compared: Comparison, unit: Unit, reference: string): Row {
  const said = limit < 1 ? `1/${Math.round(1 / limit)}` : `${limit}×`
  return { ...between(work, compared, unit, reference), target: `≤ ${said}`, met: compared.ratio <= limit }
}

function between(work: string, { ours, theirs, ratio }: Comparison, unit: Unit, reference: string) {
  return { work, ours: unit(ours), reference: `${unit(theirs)} ${reference}`, ratio }
}

/** One file of rows/. */
export type Rows = (bench: Bench) => AsyncIterable<Row>

export function rounded(value: number, digits = 3): string {
  return value >= 10 ** digits ? String(Math.round(value)) : String(Number(value.toPrecision(digits)))
}

export const ms = (value: number) => `${rounded(value)} ms`
export const perSecond = (value: number) => `${rounded(value)}/s`
