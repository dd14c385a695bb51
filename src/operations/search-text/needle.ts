/** Whether a literal is in a text that comes in pieces; asked again on the bytes that are about to be returned. */

export interface Needle {
  /** The next piece of the line, on a character boundary. */
  add(text: string): void
  readonly found: boolean
}

/** Makes a fresh needle for each line. */
export type NeedleFor = () => Needle

/** A regular expression is ripgrep's to judge: the line is taken as it is. */
const ALWAYS: Needle = { add: () => {}, found: true }

export function needleFor(search: { readonly query: string; readonly regex: boolean; readonly caseSensitive: boolean }): NeedleFor {
  const { query, regex, caseSensitive } = search
  if (regex) return () => ALWAYS
  // With `u`, JavaScript folds case as ripgrep does: by Unicode's simple folding.
  const folded = new RegExp(RegExp.escape(query), "iu")
  const isIn = caseSensitive ? (text: string) => text.includes(query) : (text: string) => folded.test(text)
  return () => new Literal(isIn, query.length)
}

class Literal implements Needle {
  found = false
  readonly #isIn: (text: string) => boolean
  readonly #length: number
  #carry = ""

  constructor(isIn: (text: string) => boolean, length: number) {
    this.#isIn = isIn
    this.#length = length
  }

  add(text: string): void {
    if (this.found) return
    const joined = this.#carry + text
    this.found = this.#isIn(joined)
    this.#carry = joined.slice(-this.#length)
  }
}
