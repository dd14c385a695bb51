/**
 * What one side of a lane says to the other in one turn of its event loop, as one text: waking a thread costs as much as a
 * short call, and JSON text is a third of the price of cloning (measured). What is JSON already goes behind that text as it
 * is: inside it one thread would escape it and the other unescape it.
 */
import { JsonText } from "../json-text.ts"
import type { FromLane } from "./messages.ts"

/** JSON on one line has none of its own. */
const END_OF_JSON = "\n"

type Done = Extract<FromLane, { kind: "done" }>

export function pack(messages: readonly FromLane[]): string {
  const behind: string[] = []
  const json = JSON.stringify(messages.map((message) => (message.kind === "done" ? withoutTexts(message, behind) : message)))
  return behind.length === 0 ? json : json + END_OF_JSON + behind.join("")
}

/** The inverse of pack(). */
export function unpack(packet: string): readonly FromLane[] {
  const end = packet.indexOf(END_OF_JSON)
  if (end < 0) return JSON.parse(packet) as FromLane[]
  const messages = JSON.parse(packet.slice(0, end)) as FromLane[]
  let at = end + END_OF_JSON.length
  for (const message of messages) {
    if (message.kind !== "done") continue
    for (const [name, units, length] of message.texts ?? []) {
      Object.assign(Object(message.value), { [name]: new JsonText(packet.slice(at, (at += units)), length) })
    }
  }
  return messages
}

/** Each text leaves a null in its place, so that the members keep their order. */
function withoutTexts(message: Done, behind: string[]): Done {
  if (typeof message.value !== "object" || message.value === null) return message
  const value: Record<string, unknown> = { ...message.value }
  const texts: [string, number, number][] = []
  for (const name in value) {
    const member = value[name]
    if (!(member instanceof JsonText)) continue
    behind.push(member.text)
    texts.push([name, member.text.length, member.length])
    value[name] = null
  }
  return texts.length === 0 ? message : { ...message, value, texts }
}
