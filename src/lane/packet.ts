/**
 * What one side of a lane says to the other in one turn of its event loop, as one text: waking a thread costs as much as a
 * short call, and JSON text is a third of the price of cloning (measured). Long texts that an operation read go behind the
 * JSON as they are: inside it one thread would escape them and the other unescape them.
 */
import type { FromLane } from "./messages.ts"

/** UTF-16 units from which on a text is moved out. */
const LONG = 4096
/** JSON on one line has none of its own. */
const END_OF_JSON = "\n"

type Done = Extract<FromLane, { kind: "done" }>

interface WithText {
  readonly content: string
}

export function pack(messages: readonly FromLane[]): string {
  const texts: string[] = []
  const json = JSON.stringify(messages.map((message) => {
    if (message.kind !== "done" || !hasLongText(message.value)) return message
    texts.push(message.value.content)
    return { ...message, value: { ...message.value, content: "" }, units: message.value.content.length } satisfies Done
  }))
  return texts.length === 0 ? json : json + END_OF_JSON + texts.join("")
}

/** The inverse of pack(). */
export function unpack(packet: string): readonly FromLane[] {
  const end = packet.indexOf(END_OF_JSON)
  if (end < 0) return JSON.parse(packet) as FromLane[]
  let at = end + END_OF_JSON.length
  return (JSON.parse(packet.slice(0, end)) as FromLane[]).map((message) => {
    if (message.kind !== "done" || message.units === undefined) return message
    const content = packet.slice(at, (at += message.units))
    return { kind: "done", id: message.id, value: { ...Object(message.value), content } }
  })
}

function hasLongText(value: unknown): value is WithText {
  return typeof value === "object" && value !== null && "content" in value && typeof value.content === "string" && value.content.length >= LONG
}
