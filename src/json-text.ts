/** Values that stay JSON from the thread that made them to the client: nobody in between has a use for their insides. */

type Long = string | readonly unknown[]

/** A long member of a result, as the JSON text that it will be sent as. */
export class JsonText<T extends Long> {
  readonly text: string
  /** Of the value: elements, or UTF-16 units. */
  readonly length: number
  /** Of no value: it keeps texts of different types apart. */
  declare protected readonly type: T

  constructor(text: string, length: number) {
    this.text = text
    this.length = length
  }

  static of<T extends Long>(value: T): JsonText<T> {
    return new JsonText(JSON.stringify(value), value.length)
  }

  decode(): T {
    return JSON.parse(this.text) as T
  }
}

/** A result whose long members, arrays and `content`, may be JSON already. */
export type MaybeJson<T> = {
  readonly [K in keyof T]: T[K] extends readonly unknown[] ? T[K] | JsonText<T[K]> : K extends "content" ? T[K] | JsonText<T[K] & string> : T[K]
}

/** JSON.stringify for an object some of whose own members may be JSON already. */
export function jsonOf(value: object): string {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (!members.some(([, member]) => member instanceof JsonText)) return JSON.stringify(value)
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${member instanceof JsonText ? member.text : JSON.stringify(member)}`)
  return `{${texts.join(",")}}`
}
