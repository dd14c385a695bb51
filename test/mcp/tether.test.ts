import { describe, expect, test } from "bun:test"
import { createCalls } from "../../src/mcp/call.ts"
import { AuditLog } from "../helpers/audit-log.ts"
import { callerOf } from "../helpers/caller.ts"
import { countSlowly, fixtureService } from "../helpers/fixture-service.ts"
import { LIMITS } from "../helpers/limits.ts"

async function count(steps: number, entitled: () => boolean, progress?: (done: number) => void) {
  const audit = new AuditLog()
  const calls = createCalls({ audit, limits: LIMITS })
  const caller = callerOf("full", { entitled, ...(progress === undefined ? {} : { progress }) })
  const outcome = await calls.tool(fixtureService(), countSlowly, { board: "main", steps, every: 1 }, caller)
  return { outcome, codes: audit.calls.map(({ error_code }) => error_code), events: audit.events.map(({ name }) => name) }
}

describe("tethered()", () => {
  test("ends a call that reports progress once the caller's token is no longer good, with ACCESS_DENIED", async () => {
    const seen: number[] = []
    const { outcome, codes, events } = await count(50, () => seen.length < 3, (done) => seen.push(done))
    expect(seen).toEqual([1, 2, 3])
    expect(outcome).toMatchObject({ code: "ACCESS_DENIED", message: expect.stringContaining("the token is no longer good") })
    expect([codes, events]).toEqual([["ACCESS_DENIED"], ["tool_call"]])
  })

  test("lets a call go on whose token stays good", async () => {
    const seen: number[] = []
    expect((await count(5, () => true, (done) => seen.push(done))).codes).toEqual([null])
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  test("leaves a call alone that reports none: its deadline ends it", async () => {
    expect((await count(5, () => false)).codes).toEqual([null])
  })
})
