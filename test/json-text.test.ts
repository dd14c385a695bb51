import { describe, expect, test } from "bun:test"
import { JsonText, jsonOf } from "../src/json-text.ts"

const VALUES: readonly Record<string, unknown>[] = [
  {},
  { a: 1, content: 'é"\n\u2028\ud800', b: null },
  { entries: [{ name: "x", size: null }], left: undefined, "na\"me": [] },
  { entries: [], returned: 0 },
]

describe("jsonOf()", () => {
  test.each(VALUES.map((value) => [value]))("says %j as JSON.stringify does, whichever of its members are JSON already", (value) => {
    const texts = Object.entries(value).map(([name, member]) => [name, typeof member === "string" || Array.isArray(member) ? JsonText.of(member) : member])
    for (const { pieces, quoted } of [jsonOf(value), jsonOf(Object.fromEntries(texts))]) {
      expect(pieces.join("")).toBe(JSON.stringify(value))
      expect(`"${quoted.join("")}"`).toBe(JSON.stringify(JSON.stringify(value)))
    }
  })
})

describe("JsonText", () => {
  test("knows how long its value is, and gives it back", () => {
    const text = JsonText.of("é\n")
    const list = JsonText.of([1, 2, 3])
    expect([text.length, text.decode(), list.length, list.decode()]).toEqual([2, "é\n", 3, [1, 2, 3]])
  })
})
