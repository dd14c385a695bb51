/** The envelopes of revision 2026-07-28 that the SDK has accepted: a client sends the same one with each of its requests. */

/** What the protocol itself reads of a message's metadata. */
export const RESERVED = "io.modelcontextprotocol/"

/** Of different clients at once. */
const MAX_KEPT = 64
/** UTF-16 units. A longer one goes to the SDK each time. */
const MAX_LENGTH = 2048

export class Envelopes {
  readonly #accepted = new Set<string>()

  /** Whether one has been accepted that is the same to the letter, in all that the protocol reads. */
  knows(meta: object): boolean {
    return this.#accepted.has(textOf(meta))
  }

  /** To be called once the SDK has accepted it. */
  learn(meta: object): void {
    const text = textOf(meta)
    if (text.length > MAX_LENGTH || this.#accepted.has(text)) return
    const [oldest] = this.#accepted
    if (this.#accepted.size >= MAX_KEPT && oldest !== undefined) this.#accepted.delete(oldest)
    this.#accepted.add(text)
  }
}

function textOf(meta: object): string {
  return JSON.stringify(Object.entries(meta).filter(([name]) => name.startsWith(RESERVED)))
}
