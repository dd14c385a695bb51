import { describe, expect, test } from "bun:test"
import { ToolError } from "../src/errors.ts"

describe("ToolError.ending()", () => {
  const reason = new ToolError("ACCESS_DENIED", { detail: "the token is no longer good" })

  test("says what had been done, over REST as a number too", () => {
    const said = reason.ending(new ToolError("RESOURCE_EXHAUSTED", { partial: { removed: 7 } }))
    expect([said.message, said.about.partial]).toEqual(["ACCESS_DENIED: the token is no longer good; 7 removed by then", { removed: 7 }])
  })

  test("is the refusal itself for what stopped without a word", () => {
    expect(reason.ending(new Error("cancelled"))).toBe(reason)
  })
})
