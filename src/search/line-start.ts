/** Where a line begins, for a reader who is not shown a BOM. */

/** With Unicode on, whatever flags the pattern sets. */
const MAYBE_BOM = "(?u:\\x{FEFF})?"
/** A class begins: a `]` that comes first is one of its characters (regex-syntax, "Character classes"). */
const CLASS = /\[\^?(?:-+|\])?/y

/** A flag that lets blanks and comments stand in a pattern: where its classes end can't be told without all of ripgrep's own grammar. */
const VERBOSE = /\(\?[a-zA-Z]*x/

/**
 * A regular expression of ripgrep's in which `^` and `\A` also stand behind a BOM: lines are shown without it (contract §5, search_text), and
 * ripgrep is given the bytes of the file. Not exact: a U+FEFF that begins a later line is passed over as well, and `.` may still stand for a BOM.
 */
export function behindBom(pattern: string): string {
  if (VERBOSE.test(pattern)) return pattern
  let out = ""
  let depth = 0
  for (let at = 0; at < pattern.length; ) {
    const token = tokenAt(pattern, at)
    if (token.startsWith("[")) depth++
    else if (token === "]" && depth > 0) depth--
    out += depth === 0 && (token === "^" || token === "\\A") ? `(?:${token}${MAYBE_BOM})` : token
    at += token.length
  }
  return out
}

function tokenAt(pattern: string, at: number): string {
  if (pattern[at] === "\\") return pattern.slice(at, at + 2)
  CLASS.lastIndex = at
  return CLASS.exec(pattern)?.[0] ?? pattern.charAt(at)
}
