import { describe, expect, test } from "bun:test"
import { Envelopes } from "../../src/mcp/envelopes.ts"

const meta = (name: string, more: object = {}) => ({ "io.modelcontextprotocol/clientInfo": { name }, ...more })

describe("Envelopes", () => {
  test("know what was learned, whatever stands beside what the protocol reads", () => {
    const envelopes = new Envelopes()
    envelopes.learn(meta("a", { progressToken: 1 }))
    expect(envelopes.knows(meta("a", { progressToken: 2, "some/thing": [] }))).toBe(true)
    expect(envelopes.knows(meta("b"))).toBe(false)
    expect(envelopes.knows(meta("a", { "io.modelcontextprotocol/logLevel": "debug" }))).toBe(false)
    expect(envelopes.knows({})).toBe(false)
  })

  test("keep the latest 64, and none that is long", () => {
    const envelopes = new Envelopes()
    for (let i = 0; i < 65; i++) envelopes.learn(meta(`client ${i}`))
    expect([0, 1, 64].map((i) => envelopes.knows(meta(`client ${i}`)))).toEqual([false, true, true])
    envelopes.learn(meta("x".repeat(3000)))
    expect(envelopes.knows(meta("x".repeat(3000)))).toBe(false)
  })
})
