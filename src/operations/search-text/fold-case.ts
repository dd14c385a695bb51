/** Letter case folded as ripgrep folds it: by Unicode's simple folding (CaseFolding.txt), one code point for one. */

/** Where simple folding is not "the lower case of the upper case": dotless i stays, and three pairs are one letter each. */
const OWN: Readonly<Record<string, string>> = { "ı": "ı", "\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06" }

const ASCII = /^[\0-\x7f]*$/

/** Two texts fold to the same when a regular expression with `iu` takes one for the other (a test compares every letter that has a case). */
export function foldCase(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.replace(/[A-Z]+|[^\0-\x7f]/gu, (part) => OWN[part] ?? lowered(single(part.toUpperCase(), part)))
}

function lowered(part: string): string {
  return single(part.toLowerCase(), part)
}

/** What became more than it was is no simple folding. */
function single(changed: string, from: string): string {
  return changed.length === from.length ? changed : from
}
