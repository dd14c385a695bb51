import { JsonText } from "../../src/json-text.ts"

/** An operation's output with its texts read back. */
export type Decoded<T> = T extends object ? { [K in keyof T]: T[K] extends JsonText<infer V> ? V : T[K] } : T

export function decoded<T>(output: T): Decoded<T> {
  if (typeof output !== "object" || output === null) return output as Decoded<T>
  return Object.fromEntries(Object.entries(output).map(([name, member]) => [name, member instanceof JsonText ? member.decode() : member])) as Decoded<T>
}
