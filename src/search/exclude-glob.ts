/**
 * A deny glob in ripgrep's own language, so that ripgrep does not even open what the policy denies.
 *
 * ripgrep's globs count bytes. For names in ASCII the translation is exact. Where a `?` or a `[seq]` meets another
 * script it may exclude more than the policy denies, never less: ripgrep leaves such a name out, and nothing leaks.
 */
import { type NameClass, parseName } from "../workdir/glob.ts"

/** One byte of a multi-byte character; a class of ripgrep's can hold nothing but ASCII safely. */
const HIGH = "[!\u0001-\u007f]"
const HIGH_CHARACTERS = [2, 3, 4].map((bytes) => HIGH.repeat(bytes))
/** Of the 128, NUL and the slash are in no name. */
const ASCII = Array.from({ length: 128 }, (_, point) => point).filter((point) => point !== 0 && point !== 0x2f)

/** Special to ripgrep inside a class or outside: written with a backslash, and never as the end of a range. */
const SPECIAL = /[\\*?[\]{},!#^-]/
/** Trimmed by ripgrep at the end of a glob, so it must not be the last character. */
const BLANK = /[\s\u0085]/

const ANY = oneOf(ASCII, true)

function character(point: number): string {
  const char = String.fromCodePoint(point)
  if (SPECIAL.test(char)) return `\\${char}`
  return BLANK.test(char) ? `{${char}}` : char
}

/** Runs of neighbours as ranges: [97, 98, 99, 120] → "a-cx-x". */
function ranges(points: readonly number[]): string {
  let text = ""
  let from = 0
  for (const [index, point] of points.entries()) {
    if (points[index + 1] === point + 1) continue
    text += `${String.fromCodePoint(points[from] ?? point)}-${String.fromCodePoint(point)}`
    from = index + 1
  }
  return text
}

function oneOf(ascii: readonly number[], high: boolean): string {
  const isSpecial = (point: number) => SPECIAL.test(String.fromCodePoint(point))
  const plain = ascii.filter((point) => !isSpecial(point))
  const choices = [...ascii.filter(isSpecial).map(character), ...(high ? HIGH_CHARACTERS : [])]
  if (plain.length > 0) choices.unshift(`[${ranges(plain)}]`)
  return `{${choices.join(",")}}`
}

function classGlob({ negated, ranges: members }: NameClass): string | null {
  const ascii = ASCII.filter((point) => members.some(([from, to]) => from <= point && point <= to) !== negated)
  const high = negated || members.some(([, to]) => to > 127)
  return ascii.length === 0 && !high ? null : oneOf(ascii, high)
}

/** The glob for `--glob=!…`, or null when it can match no name. */
export function excludeGlob(nameGlob: string): string | null {
  let glob = ""
  for (const token of parseName(nameGlob)) {
    if (token === 0x2f) return null
    const part = token === "*" ? "*" : token === "?" ? ANY : typeof token === "number" ? character(token) : classGlob(token)
    if (part === null) return null
    glob += part
  }
  return glob === "" ? null : glob
}
