import { describe, expect, test } from "bun:test"
import { excessOf, isTooWide, MAX_ELEMENTS, MAX_ENVELOPE_VALUES, MAX_MEMBERS } from "../../src/mcp/bounds.ts"

const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, {}]))
const call = (args: unknown, more: object = {}) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t", arguments: args, ...more } })

describe("isTooWide()", () => {
  test("leaves a call's arguments to the tool, but for their names", () => {
    expect(isTooWide(call({ edits: Array.from({ length: 9000 }, () => ({ a: 1 })) }))).toBe(false)
    expect(isTooWide(call(wide(MAX_ENVELOPE_VALUES + 1)))).toBe(true)
  })

  test.each([
    ["beside the arguments", call({}, { _meta: wide(2000) })],
    ["under a member that is only called arguments", call({}, { _meta: { arguments: wide(2000) } })],
    ["in the arguments of another method", { ...call(wide(2000)), method: "tools/list" }],
    ["in an array called arguments", { method: "ping", params: { _meta: { arguments: Array.from({ length: 2000 }, () => ({})) } } }],
    ["in the arguments of a method nested deeper", call({}, { params: { arguments: wide(2000) } })],
  ])("sees too many values %s", (_, message) => {
    expect(isTooWide(message)).toBe(true)
  })

  test("answers at once for 600,000 integer names", () => {
    const many = JSON.parse(`{${Array.from({ length: 600_000 }, (_, i) => `"${i}":{}`).join(",")}}`) as unknown
    const started = performance.now()
    expect(isTooWide(call(many))).toBe(true)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe("excessOf()", () => {
  test("counts array elements and members, however they are nested", () => {
    expect(excessOf({ a: Array(MAX_ELEMENTS).fill(1) })).toBeNull()
    expect(excessOf({ a: [Array(MAX_ELEMENTS).fill(1)] })).toContain("array elements")
    expect(excessOf({ a: { b: wide(MAX_MEMBERS + 1) } })).toContain("values")
  })
})
