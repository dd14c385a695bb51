import { describe, expect, test } from "bun:test"
import { Lane } from "../../src/lane/lane.ts"
import { PendingCall } from "../../src/lane/pending-call.ts"
import { settingsOf } from "../helpers/in-lane.ts"
import { scratch } from "../helpers/scratch.ts"

describe("Lane", () => {
  test("a call that is sent again is another one there, so that what became of the first sending says nothing of it", async () => {
    using dir = scratch({ "a.txt": "a" })
    const lane = new Lane(settingsOf(dir.path), () => {}, () => {})
    const call = new PendingCall("read", "statFile", { path: "a.txt" }, { signal: new AbortController().signal, deadline: performance.now() + 10_000 })
    lane.send(call)
    const first = call.id
    lane.send(call)
    expect(call.id).not.toBe(first)
    expect(await call.answer).toMatchObject({ type: "file", size: 1 })
    await lane.close()
  })
})
