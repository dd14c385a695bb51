import { describe, expect, test } from "bun:test"
import { formatLine } from "../../src/audit/line.ts"

/** Every code unit that contract §8 names. */
const HOSTILE = [
  ...Array.from({ length: 32 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, i) => 0x7f + i),
  0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
  0xd800, 0xdc00,
]

describe("formatLine", () => {
  test.each(HOSTILE)("escapes U+%i wherever it stands", (code) => {
    const char = String.fromCharCode(code)
    const line = formatLine(0, "INFO", `e${char}`, { path: `a${char}b`, [`k${char}`]: [char], nested: { [char]: char } })
    expect(line.slice(0, -1)).not.toContain(char)
    expect(line.endsWith("}\n")).toBe(true)
    expect(JSON.parse(line).path).toBe(`a${char}b`)
  })

  test("keeps a forged line inside its own field", () => {
    const path = '"}\n{"timestamp":"2026-01-01T00:00:00.000Z","level":"INFO","event":"tool_call","success":true}\r\n\u001b[2K'
    const line = formatLine(0, "INFO", "tool_call", { path })
    expect(line.trimEnd().split(/[\r\n\u0085\u2028\u2029]/)).toHaveLength(1)
    expect(JSON.parse(line)).toEqual({ timestamp: "1970-01-01T00:00:00.000Z", level: "INFO", event: "tool_call", path })
  })

  test("leaves readable names of any script as they are", () => {
    expect(formatLine(0, "INFO", "e", { path: "æøå/日本語/🙂.txt" })).toContain("æøå/日本語/🙂.txt")
  })

  test("cuts what is longer than any path", () => {
    const line = formatLine(0, "INFO", "e", { path: "x".repeat(1_000_000), next: 1 })
    expect(line.length).toBeLessThan(4300)
    expect(JSON.parse(line)).toMatchObject({ path: expect.stringContaining("1000000 characters"), next: 1 })
  })

  test("never throws", () => {
    const loop: Record<string, unknown> = {}
    loop.self = loop
    for (const fields of [{ n: 1n }, loop, { toJSON: () => { throw new Error("no") } }]) {
      expect(JSON.parse(formatLine(0, "INFO", "e", fields))).toMatchObject({ event: "e", unloggable: true })
    }
  })
})
