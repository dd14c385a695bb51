import { describe, expect, test } from "bun:test"
import { parseJson } from "../../src/mcp/parse-json.ts"

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)

describe("parseJson()", () => {
  test.each([
    ["brackets in strings", JSON.stringify({ text: `${"[".repeat(30_000)}"\\${"{".repeat(30_000)}`, more: '\\"[' })],
    ["many values beside each other", JSON.stringify(Array.from({ length: 30_000 }, () => ({ a: [{}] })))],
  ])("takes %s", (_, text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  test("takes 20,000 levels", () => {
    expect(parseJson(nested(20_000))).toBeArray()
  })

  test.each([
    ["20,001 levels", nested(20_001)],
    ["20,001 levels behind a string that ends in a backslash", `["${"x".repeat(600)}\\\\",${nested(20_000)}]`],
    ["20,001 levels of objects", `${'{"a":'.repeat(20_001)}1${"}".repeat(20_001)}`],
    ["what is no JSON", "{"],
    ["a string without an end", `"${"[".repeat(30_000)}`],
  ])("gives undefined for %s", (_, text) => {
    expect(parseJson(text)).toBeUndefined()
  })

  test.each([["brackets", "[".repeat(8_000_000)], ["quotes and backslashes", '["\\\\\\"'.repeat(1_000_000)]])("8 MB of %s cost no second", (_, text) => {
    const begin = performance.now()
    expect(parseJson(text)).toBeUndefined()
    expect(performance.now() - begin).toBeLessThan(1000)
  })
})
