/**
 * A glob on one name (fnmatch): `*`, `?`, `[seq]`, `[!seq]`; case-sensitive, by code point; a leading dot is not
 * special; an unterminated `[` is literal; there is no escape character.
 */

/** Whether a code point is (or, negated, is not) in one of the ranges. */
export interface NameClass {
  readonly negated: boolean
  /** Ascending, and apart from each other. */
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

/** A run of `*` is one star. A number is a literal code point. */
export type NameToken = number | "*" | "?" | NameClass

const STAR = 0x2a
const QUESTION = 0x3f
const OPEN = 0x5b
const CLOSE = 0x5d
const BANG = 0x21
const DASH = 0x2d

function codePoints(text: string): number[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0)
}

/** `members` is what stands between the brackets. A range that runs backwards holds nothing. */
function parseClass(members: readonly number[]): NameClass {
  const negated = members[0] === BANG
  const ranges: [number, number][] = []
  let at = negated ? 1 : 0
  while (at < members.length) {
    const from = members[at] ?? 0
    const to = members[at + 1] === DASH ? members[at + 2] : undefined
    if (to === undefined) ranges.push([from, from])
    else if (from <= to) ranges.push([from, to])
    at += to === undefined ? 1 : 3
  }
  return { negated, ranges: merged(ranges) }
}

function merged(ranges: [number, number][]): [number, number][] {
  const apart: [number, number][] = []
  for (const [from, to] of ranges.sort(([a], [b]) => a - b)) {
    const last = apart.at(-1)
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else apart.push([from, to])
  }
  return apart
}

/** Index of the `]` that closes the class opened at `open`, or -1. A `]` that comes first is a member. */
function classEnd(points: readonly number[], open: number): number {
  const first = points[open + 1] === BANG ? open + 2 : open + 1
  return points.indexOf(CLOSE, first + 1)
}

export function parseName(glob: string): NameToken[] {
  const points = codePoints(glob)
  const tokens: NameToken[] = []
  for (let at = 0; at < points.length; at++) {
    const point = points[at] ?? 0
    const end = point === OPEN ? classEnd(points, at) : -1
    if (end > 0) {
      tokens.push(parseClass(points.slice(at + 1, end)))
      at = end
    } else if (point === STAR) {
      if (tokens.at(-1) !== "*") tokens.push("*")
    } else tokens.push(point === QUESTION ? "?" : point)
  }
  return tokens
}

function accepts(token: NameToken | undefined, point: number): boolean {
  if (typeof token === "number") return token === point
  if (token === "?") return true
  if (token === undefined || token === "*") return false
  return holds(token.ranges, point) !== token.negated
}

/** By bisection: a class may have as many ranges as a pattern has room for. */
function holds(ranges: NameClass["ranges"], point: number): boolean {
  let low = 0, high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.[1] ?? 0) < point) low = middle + 1
    else high = middle
  }
  const found = ranges[low]
  return found !== undefined && found[0] <= point
}

/** Only the last star is ever gone back to, so a name of n code points costs at most n² steps whatever the pattern. */
function matchTokens(tokens: readonly NameToken[], name: readonly number[]): boolean {
  let token = 0
  let at = 0
  let star = -1
  let resume = 0
  while (at < name.length) {
    if (tokens[token] === "*") {
      star = token++
      resume = at
    } else if (accepts(tokens[token], name[at] ?? 0)) {
      token++
      at++
    } else {
      if (star < 0) return false
      token = star + 1
      at = ++resume
    }
  }
  if (tokens[token] === "*") token++
  return token === tokens.length
}

/** The texts between the stars, or null when there is a `?` or a class. */
function literalParts(tokens: readonly NameToken[]): string[] | null {
  const parts = [""]
  for (const token of tokens) {
    if (token === "*") parts.push("")
    else if (typeof token === "number") parts.push(`${parts.pop() ?? ""}${String.fromCodePoint(token)}`)
    else return null
  }
  return parts
}

function literalMatcher(parts: readonly string[]): (name: string) => boolean {
  const first = parts[0] ?? ""
  if (parts.length === 1) return (name) => name === first
  const last = parts.at(-1) ?? ""
  const middle = parts.slice(1, -1)
  return (name) => {
    const end = name.length - last.length
    if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false
    let at = first.length
    for (const part of middle) {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= end
  }
}

/** Compiles a glob to a test of one name, both well-formed Unicode. Never fails. */
export function compileName(glob: string): (name: string) => boolean {
  const tokens = parseName(glob)
  const parts = literalParts(tokens)
  return parts ? literalMatcher(parts) : (name) => matchTokens(tokens, codePoints(name))
}
