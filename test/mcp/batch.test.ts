import { describe, expect, test } from "bun:test"
import { batchBound } from "../../src/mcp/batch.ts"

const answer = (units: number) => ({ content: [{ type: "text", text: "x".repeat(units) }] })
const MIB = 1024 * 1024

describe("batchBound()", () => {
  test("refuses a large answer that brings a batch over 8 Mi units, and still tells what is small", () => {
    const bounded = batchBound()
    for (let i = 0; i < 8; i++) expect(bounded(answer(MIB))).toEqual(answer(MIB))
    expect(() => bounded(answer(MIB))).toThrow("RESOURCE_EXHAUSTED: the answers of this batch are too large together")
    expect(bounded(answer(1000))).toEqual(answer(1000))
    expect(bounded({})).toEqual({})
  })

  test("lets one answer be as large as it is, a resource's too", () => {
    expect(batchBound()(answer(20 * MIB))).toEqual(answer(20 * MIB))
    const bounded = batchBound()
    expect(bounded({ contents: [{ uri: "a", text: "x".repeat(9 * MIB) }] })).toHaveProperty("contents")
    expect(() => bounded(answer(MIB))).toThrow()
  })
})
