/** The place in a text that is most like a text which is not in it. Linear in both, so that a hint costs no more than a search. */
import { occurrences } from "./occurrences.ts"

export interface Nearest {
  /** From 1. */
  readonly line: number
  /** What differs there, when nothing but these kinds does; empty = the text itself. */
  readonly kinds: readonly string[]
}

/** Kinds of difference that are easily overlooked; each takes its own kind out of a text, and keeps every "\n". */
const KINDS: readonly { readonly name: string; readonly without: (text: string) => string }[] = [
  { name: "line ends (CRLF against LF)", without: (text) => text.replaceAll("\r\n", "\n") },
  // The look-behind lets a run of blanks be tried at its first blank alone, which keeps this linear.
  { name: "trailing blanks", without: (text) => text.replace(/(?<![ \t])[ \t]+(?=\r?\n|$)/g, "") },
  { name: "blanks (tabs against spaces, or how many)", without: (text) => text.replace(/[ \t]+/g, " ").replace(/^ /gm, "") },
  { name: "letter case", without: (text) => text.toLowerCase() },
]

/** Below this likeness (0 to 1) a line is no help. */
const MIN_LIKENESS = 0.5
const PAIRS = 65_536
const NEWLINE = 0x0a, BLANK = 0x20

/** null when no line is like `wanted`. */
export function nearest(text: string, wanted: string): Nearest | null {
  const line = lineOfSame(text, wanted)
  if (line === null) return mostAlike(text, wanted)
  const there = text.split("\n", line + count(wanted, "\n")).slice(line - 1).join("\n")
  const kinds = KINDS.filter(({ name }) => !contains(stripped(there, name), stripped(wanted, name)))
  return { line, kinds: kinds.map(({ name }) => name) }
}

/** The line at which `wanted` begins when every kind of difference is left out of account. */
function lineOfSame(text: string, wanted: string): number | null {
  const flat = Buffer.from(stripped(text))
  const needle = Buffer.from(stripped(wanted))
  const start = needle.length === 0 ? undefined : occurrences(flat, needle)[0]
  return start === undefined ? null : count(flat.toString("utf8", 0, start), "\n") + 1
}

/** The text without any kind of difference but `kept`. */
function stripped(text: string, kept?: string): string {
  return KINDS.reduce((left, { name, without }) => (name === kept ? left : without(left)), text)
}

function contains(text: string, wanted: string): boolean {
  return occurrences(Buffer.from(text), Buffer.from(wanted)).length > 0
}

function count(text: string, what: string): number {
  let found = 0
  for (let at = text.indexOf(what); at >= 0; at = text.indexOf(what, at + 1)) found++
  return found
}

/** The line that shares most pairs of neighbouring characters with the longest line of `wanted` (Dice's coefficient). */
function mostAlike(text: string, wanted: string): Nearest | null {
  const wantedLines = wanted.split("\n")
  const model = wantedLines.reduce((longest, line) => (line.trim().length > longest.trim().length ? line : longest))
  const known = new Uint8Array(PAIRS)
  let size = 0
  eachPair(model, 0, (pair) => { known[pair] = 1; size++ })
  let best = MIN_LIKENESS, bestLine = 0
  for (let start = 0, line = 1; start < text.length; line++) {
    let shared = 0, pairs = 0
    start = eachPair(text, start, (pair) => { shared += known[pair] ?? 0; pairs++ }) + 1
    const likeness = (2 * Math.min(shared, size)) / (pairs + size)
    if (likeness > best) { best = likeness; bestLine = line }
  }
  if (bestLine === 0) return null
  return { line: firstDifference(text, wantedLines, bestLine - wantedLines.indexOf(model)) ?? bestLine, kinds: [] }
}

/** The first line that differs when `wanted` is laid on the text from line `start` on. */
function firstDifference(text: string, wanted: readonly string[], start: number): number | null {
  if (start < 1) return null
  const there = text.split("\n", start + wanted.length - 1).slice(start - 1)
  const at = there.findIndex((line, index) => stripped(line) !== stripped(wanted[index] ?? ""))
  return at < 0 ? null : start + at
}

/** Calls `see` with a hash of each pair of characters up to the line's end, blanks left out; returns where the line ends. */
function eachPair(text: string, start: number, see: (pair: number) => void): number {
  let before = 0
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === NEWLINE) return at
    if (unit <= BLANK) continue
    if (before !== 0) see((before * 251 + unit) % PAIRS)
    before = unit
  }
  return text.length
}
