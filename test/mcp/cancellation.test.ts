import { describe, expect, test } from "bun:test"
import { Cancellations } from "../../src/mcp/cancellation.ts"
import { callerOf } from "../helpers/caller.ts"
import { fixtureApp } from "../helpers/fixture-app.ts"

const cancelled = (requestId: unknown) => ({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } })

/** Whether a call with id 7 of session "s" and principal `full` is cancelled by this. */
async function cancels(heed: (cancellations: Cancellations) => void, session: string | null = "s"): Promise<boolean> {
  const cancellations = new Cancellations()
  return cancellations.cancellable(callerOf(), session, 7, ({ signal }) => {
    heed(cancellations)
    return signal.aborted
  })
}

describe("Cancellations", () => {
  test("cancels the call that the notification names", async () => {
    expect(await cancels((all) => all.heed(cancelled(7), callerOf(), "s"))).toBe(true)
  })

  test.each<[string, (all: Cancellations) => void, (string | null)?]>([
    ["another id", (all) => all.heed(cancelled(8), callerOf(), "s")],
    ["an id of another type", (all) => all.heed(cancelled("7"), callerOf(), "s")],
    ["another session with the same id", (all) => all.heed(cancelled(7), callerOf(), "t")],
    ["another principal that knows the session", (all) => all.heed(cancelled(7), callerOf("reader"), "s")],
    ["no session", (all) => all.heed(cancelled(7), callerOf(), null)],
    ["no session on either side", (all) => all.heed(cancelled(7), callerOf(), null), null],
    ["another notification", (all) => all.heed({ ...cancelled(7), method: "notifications/initialized" }, callerOf(), "s")],
    ["what is no message", (all) => [null, 7, "x", [], { method: "notifications/cancelled" }, cancelled(null), cancelled({})].forEach((each) => all.heed(each, callerOf(), "s"))],
  ])("leaves a call alone for %s", async (_what, heed, session = "s") => {
    expect(await cancels(heed, session)).toBe(false)
  })

  test("keeps nothing of a call that has ended", async () => {
    const cancellations = new Cancellations()
    const ended = await cancellations.cancellable(callerOf(), "s", 7, ({ signal }) => signal)
    cancellations.heed(cancelled(7), callerOf(), "s")
    expect(ended.aborted).toBe(false)
  })

  test("aborts with the client, too", async () => {
    const gone = new AbortController()
    const aborted = await new Cancellations().cancellable({ ...callerOf(), signal: gone.signal }, "s", 7, ({ signal }) => {
      gone.abort()
      return signal.aborted
    })
    expect(aborted).toBe(true)
  })

  test("initialize gives every client a session id of its own, and any id is good for everything else", async () => {
    const fixture = fixtureApp()
    const initialize = () => fixture.request("/mcp", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } } }),
    })
    const ids = [await initialize(), await initialize()].map(({ headers }) => headers.get("mcp-session-id"))
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    for (const id of [...ids, "stale"]) expect(await fixture.rpc("tools/list", {}, { headers: { "mcp-session-id": id ?? "" } })).toHaveProperty("result")
  })
})
