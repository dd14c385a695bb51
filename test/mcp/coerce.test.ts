import { describe, expect, test } from "bun:test"
import { coercionOf } from "../../src/mcp/coerce.ts"

const SCHEMA = {
  type: "object",
  properties: {
    limit: { type: "integer" },
    deep: { type: "boolean" },
    name: { type: "string" },
    edits: { type: "array", items: { type: "object", properties: { count: { type: "integer" }, text: { type: "string" } } } },
    tags: { type: "array", items: { type: "string" } },
  },
}

const coerce = coercionOf(SCHEMA)

describe("coercionOf()", () => {
  test.each<[string, object, object]>([
    ["a string of digits where an integer is due", { limit: "12" }, { limit: 12 }],
    ["leading zeros", { limit: "007" }, { limit: 7 }],
    ["the largest safe integer", { limit: "9007199254740991" }, { limit: Number.MAX_SAFE_INTEGER }],
    ["a limit above the safe integers", { limit: 1e18 }, { limit: Number.MAX_SAFE_INTEGER }],
    ["a quoted boolean", { deep: "true" }, { deep: true }],
    ["the other quoted boolean", { deep: "false" }, { deep: false }],
    ["an array sent as JSON", { edits: '[{"text":"1"}]' }, { edits: [{ text: "1" }] }],
    ["the same with blanks around it", { tags: ' ["a"] ' }, { tags: ["a"] }],
    ["what is inside arrays and objects", { edits: [{ count: "2", text: "3" }] }, { edits: [{ count: 2, text: "3" }] }],
    ["both at once", { edits: '[{"count":"2"}]' }, { edits: [{ count: 2 }] }],
  ])("mends %s", (_what, given, mended) => {
    expect(coerce?.(given)).toEqual(mended)
  })

  test.each<[string, object]>([
    ["a number that would lose digits", { limit: "9007199254740993" }],
    ["a fraction", { limit: "1.0" }],
    ["a sign", { limit: "-1" }],
    ["an exponent", { limit: "1e3" }],
    ["blanks", { limit: " 1" }],
    ["the empty string", { limit: "" }],
    ["other digits than ASCII", { limit: "١٢" }],
    ["another spelling of true", { deep: "True" }],
    ["1 for true", { deep: 1 }],
    ["null", { limit: null, deep: null, edits: null }],
    ["digits where a string is due", { name: 12 }],
    ["broken JSON", { edits: '[{"text":' }],
    ["a JSON object where an array is due", { edits: '{"text":"1"}' }],
    ["an argument the schema does not name", { other: "12" }],
  ])("leaves %s alone", (_what, given) => {
    expect(coerce?.(given)).toBe(given)
  })

  test("does not change what it was given", () => {
    const given = { limit: "1", edits: [{ count: "2" }] }
    coerce?.(given)
    expect(given).toEqual({ limit: "1", edits: [{ count: "2" }] })
  })

  test("reaches no inherited member", () => {
    const given = JSON.parse('{"__proto__": {"limit": "1"}}') as object
    expect(coerce?.(given)).toBe(given)
  })

  test("is null where nothing can be mended", () => {
    expect(coercionOf({ type: "object", properties: { name: { type: "string" } } })).toBeNull()
  })
})
