import { describe, expect, test } from "bun:test"
import { ToolError } from "../src/errors.ts"

describe("ToolError.ending()", () => {
  const reason = new ToolError("ACCESS_DENIED", { detail: "the token is no longer good" })

  test("says what had been done, over REST as a number too", () => {
    const said = reason.ending(new ToolError("RESOURCE_EXHAUSTED", { partial: { removed: 7 }, cancelled: true }))
    expect([said.message, said.about.partial]).toEqual(["ACCESS_DENIED: the token is no longer good; 7 removed by then", { removed: 7 }])
  })

  test("leaves a refusal that has another cause", () => {
    const own = new ToolError("MUTATION_IO_ERROR", { partial: { removed: 7 } })
    expect(reason.ending(own)).toBe(own)
  })

  test("is the refusal itself for what stopped without a word", () => {
    expect(reason.ending(new Error("cancelled"))).toBe(reason)
  })
})
