/**
 * What a lane says in one turn of its event loop: one JSON text, since waking a thread costs as much as a short call and JSON is a third of the
 * price of cloning (measured), and behind it what is JSON already, each text as it is: a string of its own crosses over without being copied.
 */
import { JsonText } from "../json-text.ts"
import type { FromLane } from "./messages.ts"

type Done = Extract<FromLane, { kind: "done" }>

/** To be posted one after the other. */
export function pack(messages: readonly FromLane[]): string[] {
  const behind: string[] = []
  const json = JSON.stringify(messages.map((message) => (message.kind === "done" ? withoutTexts(message, behind) : message)))
  return [json, ...behind]
}

/** The inverse of pack(), a text at a time. */
export class Unpacker {
  #messages: readonly FromLane[] = []
  readonly #texts: string[] = []
  #wanted = 0

  /** What was packed together, once all of it has come; until then nothing. */
  take(text: string): readonly FromLane[] {
    if (this.#wanted === 0) {
      this.#messages = JSON.parse(text) as FromLane[]
      for (const message of this.#messages) if (message.kind === "done") this.#wanted += 2 * (message.texts?.length ?? 0)
    } else this.#texts.push(text)
    if (this.#texts.length < this.#wanted) return []
    this.#wanted = 0
    const messages = this.#messages
    // Not kept: they hold what may be megabytes.
    this.#messages = []
    putBack(this.#texts.splice(0), messages)
    return messages
  }
}

function putBack(texts: readonly string[], messages: readonly FromLane[]): void {
  let at = 0
  for (const message of messages) {
    if (message.kind !== "done") continue
    for (const [name, length] of message.texts ?? []) {
      Object.assign(Object(message.value), { [name]: new JsonText(texts[at++] ?? "", texts[at++] ?? "", length) })
    }
  }
}

/** Each text leaves a null in its place, so that the members keep their order. */
function withoutTexts(message: Done, behind: string[]): Done {
  if (typeof message.value !== "object" || message.value === null) return message
  const value: Record<string, unknown> = { ...message.value }
  const texts: [string, number][] = []
  for (const name in value) {
    const member = value[name]
    if (!(member instanceof JsonText)) continue
    behind.push(member.text, member.quoted)
    texts.push([name, member.length])
    value[name] = null
  }
  return texts.length === 0 ? message : { ...message, value, texts }
}
