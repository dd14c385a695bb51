import { describe, expect, spyOn, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import { CallGate } from "../../src/mcp/call-gate.ts"

const OPEN = { maxCallsInFlight: 2, callsPerMinute: null, bytesPerMinute: null }
const never = new AbortController().signal
const later = (): number => performance.now() + 60_000

/** A call that waits for a turn this test never gives. */
function waitInVain(gate: CallGate): void {
  Promise.resolve(gate.enter("a", { bytes: 0 }, later(), never)).catch(() => {})
}

function refusal(enter: () => unknown): ToolError {
  try {
    enter()
  } catch (thrown) {
    if (thrown instanceof ToolError) return thrown
  }
  throw new Error("expected a refusal")
}

describe("CallGate", () => {
  test("lets calls in at once up to the limit, and further ones in order as places are given back", async () => {
    const gate = new CallGate(OPEN)
    expect([gate.enter("a", { bytes: 0 }, later(), never), gate.enter("a", { bytes: 0 }, later(), never)]).toEqual([undefined, undefined])

    const order: number[] = []
    const waiting = [1, 2, 3].map((n) => Promise.resolve(gate.enter("a", { bytes: 0 }, later(), never)).then(() => order.push(n)))
    await Bun.sleep(1)
    expect(order).toEqual([])
    gate.leave("a", [""])
    await waiting[0]
    gate.leave("a", [""])
    await waiting[1]
    gate.leave("a", [""])
    await waiting[2]
    expect(order).toEqual([1, 2, 3])
  })

  test("one principal's load does not hold up another", () => {
    const gate = new CallGate({ ...OPEN, maxCallsInFlight: 1 })
    gate.enter("a", { bytes: 0 }, later(), never)
    waitInVain(gate)
    expect(gate.enter("b", { bytes: 0 }, later(), never)).toBeUndefined()
  })

  test("refuses the call after 256 waiting ones with RESOURCE_EXHAUSTED and a hint, and no other", () => {
    const gate = new CallGate({ ...OPEN, maxCallsInFlight: 1 })
    gate.enter("a", { bytes: 0 }, later(), never)
    for (let i = 0; i < 256; i++) waitInVain(gate)
    const error = refusal(() => gate.enter("a", { bytes: 0 }, later(), never))
    expect([error.code, error.about.retryAfter]).toEqual(["RESOURCE_EXHAUSTED", 1])
    expect(gate.enter("b", { bytes: 0 }, later(), never)).toBeUndefined()
  })

  test("a waiting call is given up at its deadline with RESOURCE_EXHAUSTED, and takes no place", async () => {
    const gate = new CallGate({ ...OPEN, maxCallsInFlight: 1 })
    gate.enter("a", { bytes: 0 }, later(), never)
    const waiting = Promise.resolve(gate.enter("a", { bytes: 0 }, performance.now() + 5, never))
    await expect(waiting).rejects.toMatchObject({ code: "RESOURCE_EXHAUSTED" })
    gate.leave("a", [""])
    expect(gate.enter("a", { bytes: 0 }, later(), never)).toBeUndefined()
  })

  test("a waiting call whose client goes away takes no place", async () => {
    const gate = new CallGate({ ...OPEN, maxCallsInFlight: 1 })
    const client = new AbortController()
    gate.enter("a", { bytes: 0 }, later(), never)
    const waiting = Promise.resolve(gate.enter("a", { bytes: 0 }, later(), client.signal))
    client.abort()
    await expect(waiting).rejects.toBe(client.signal.reason)
    await expect(Promise.resolve(gate.enter("a", { bytes: 0 }, later(), client.signal))).rejects.toBe(client.signal.reason)
    gate.leave("a", [""])
    expect(gate.enter("a", { bytes: 0 }, later(), never)).toBeUndefined()
  })

  test("counts calls a minute when that is configured", () => {
    const gate = new CallGate({ ...OPEN, callsPerMinute: 2 })
    for (let i = 0; i < 2; i++) {
      gate.enter("a", { bytes: 0 }, later(), never)
      gate.leave("a", [""])
    }
    const error = refusal(() => gate.enter("a", { bytes: 0 }, later(), never))
    expect(error.code).toBe("RESOURCE_EXHAUSTED")
    expect(error.message).toMatch(/2 calls a minute .* try again in (60|59) s/)
    expect(gate.enter("b", { bytes: 0 }, later(), never)).toBeUndefined()
  })

  test("counts bytes a minute, of requests and answers", () => {
    const gate = new CallGate({ ...OPEN, bytesPerMinute: 100 })
    gate.enter("a", { bytes: 40 }, later(), never)
    gate.leave("a", ["é".repeat(20)])
    expect(gate.enter("a", { bytes: 20 }, later(), never)).toBeUndefined()
    expect(refusal(() => gate.enter("a", { bytes: 1 }, later(), never)).code).toBe("RESOURCE_EXHAUSTED")
  })

  test("counts the bytes of a request once for all its calls, and not before one is let in", () => {
    const gate = new CallGate({ ...OPEN, maxCallsInFlight: 20, bytesPerMinute: 100 })
    const batch = { bytes: 60 }
    for (let i = 0; i < 20; i++) expect(gate.enter("a", batch, later(), never)).toBeUndefined()
    const next = { bytes: 60 }
    for (let i = 0; i < 2; i++) expect(refusal(() => gate.enter("a", next, later(), never)).message).toMatch(/100 bytes a minute .* try again in (60|59) s/)
  })

  test("what is over a minute's bytes is left for the minutes after it", () => {
    const gate = new CallGate({ ...OPEN, bytesPerMinute: 100 })
    const start = performance.now()
    using clock = spyOn(performance, "now")
    const later = (minutes: number) => clock.mockReturnValue(start + minutes * 61_000)
    const enter = (bytes: number) => gate.enter("a", { bytes }, Infinity, never)
    later(0)
    enter(0)
    gate.leave("a", ["x".repeat(290)])
    later(1)
    expect(refusal(() => enter(0)).code).toBe("RESOURCE_EXHAUSTED")
    later(2)
    expect(refusal(() => enter(11)).code).toBe("RESOURCE_EXHAUSTED")
    expect(enter(10)).toBeUndefined()
  })

  test("says of a request that is over the bytes of a minute by itself that waiting won't help", () => {
    const gate = new CallGate({ ...OPEN, bytesPerMinute: 100 })
    const { message } = refusal(() => gate.enter("a", { bytes: 101 }, later(), never))
    expect(message).toMatch(/this request alone holds 101 bytes, and 100 bytes a minute are allowed.* only the operator can raise SERVERFS_BYTES_PER_MINUTE/)
    expect(message).not.toContain("try again")
  })
})
