/**
 * Values that stay JSON from the thread that made them to the client: nobody in between has a use for their insides. An MCP result holds its
 * value twice, once as a text inside JSON, and the system's fresh memory is dear (bench/README.md): both forms are made once, in the lane, and
 * long ones are never joined to anything.
 */

type Long = string | readonly unknown[]

/** A long member of a result, as the JSON that it will be sent as. */
export class JsonText<T extends Long> {
  readonly text: string
  /** The same as it stands in a JSON string, between the quotes. */
  readonly quoted: string
  /** Of the value: elements, or UTF-16 units. */
  readonly length: number
  /** Of no value: it keeps texts of different types apart. */
  declare protected readonly type: T

  constructor(text: string, quoted: string, length: number) {
    this.text = text
    this.quoted = quoted
    this.length = length
  }

  static of<T extends Long>(value: T): JsonText<T> {
    const text = JSON.stringify(value)
    return new JsonText(text, quotedOf(text), value.length)
  }

  decode(): T {
    return JSON.parse(this.text) as T
  }
}

/** A result whose long members, arrays and `content`, may be JSON already. */
export type MaybeJson<T> = {
  readonly [K in keyof T]: T[K] extends readonly unknown[] ? T[K] | JsonText<T[K]> : K extends "content" ? T[K] | JsonText<T[K] & string> : T[K]
}

/** JSON in pieces that follow each other; `quoted` is the same as it stands in a JSON string. */
export interface Json {
  readonly pieces: readonly string[]
  readonly quoted: readonly string[]
}

/** What JSON.stringify says of an object, some of whose own members may be JSON already. */
export function jsonOf(value: object): Json {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (!members.some(([, member]) => member instanceof JsonText)) return whole(JSON.stringify(value))
  const pieces: string[] = []
  const quoted: string[] = []
  let between = "{"
  const add = (text: string, inString: string): void => {
    pieces.push(text)
    quoted.push(inString)
  }
  members.forEach(([name, member], at) => {
    between += `${at === 0 ? "" : ","}${JSON.stringify(name)}:`
    if (!(member instanceof JsonText)) {
      between += JSON.stringify(member)
      return
    }
    add(between, quotedOf(between))
    add(member.text, member.quoted)
    between = ""
  })
  between += "}"
  add(between, quotedOf(between))
  return { pieces, quoted }
}

function whole(text: string): Json {
  return { pieces: [text], quoted: [quotedOf(text)] }
}

/** A text as it stands in a JSON string, between the quotes. */
export function quotedOf(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
