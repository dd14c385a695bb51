import { describe, expect, test } from "bun:test"
import { fixtureApp } from "../helpers/fixture-app.ts"

describe("tools/call of a tool that there is not", () => {
  const called = async (name: unknown, token = "full") =>
    (await fixtureApp().rpc("tools/call", { name }, { headers: { authorization: `Bearer ${token}` } })).error?.message

  test("names the tools that the caller is shown", async () => {
    expect(await called("bash")).toBe("Unknown tool: bash. To mend it: name one of read_note, write_notes, count_slowly, fail_oddly, do_nothing")
    expect(await called("bash", "reader")).toBe("Unknown tool: bash. To mend it: name one of read_note, count_slowly, fail_oddly, do_nothing")
  })

  test("says back no more than the beginning of what was asked for", async () => {
    expect(await called("x".repeat(5000))).toStartWith(`Unknown tool: ${"x".repeat(100)}. To mend it: `)
    expect(await called(7)).toStartWith("Unknown tool: (no name). To mend it: ")
  })
})
