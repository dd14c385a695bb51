import { expect, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import { PendingCall } from "../../src/lane/pending-call.ts"

test("whenReturned() also runs for a call that has ended already: a lock that was granted on the spot must not be held for ever", async () => {
  const call = new PendingCall("mutation", "createDirectory", { path: "d" }, { signal: new AbortController().signal, deadline: performance.now() + 1000 })
  call.fail(new ToolError("RESOURCE_EXHAUSTED"))
  let returned = 0
  call.whenReturned(() => { returned += 1 })
  expect(returned).toBe(1)
  await expect(call.answer).rejects.toThrow("RESOURCE_EXHAUSTED")
})
