import { expect, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import type { Lane } from "../../src/lane/lane.ts"
import { PendingCall } from "../../src/lane/pending-call.ts"

test("whenReturned() also runs for a call that has ended already: a lock that was granted on the spot must not be held for ever", async () => {
  const call = new PendingCall("mutation", "createDirectory", { path: "d" }, { signal: new AbortController().signal, deadline: performance.now() + 1000 })
  call.fail(new ToolError("RESOURCE_EXHAUSTED"))
  let returned = 0
  call.whenReturned(() => { returned += 1 })
  expect(returned).toBe(1)
  await expect(call.answer).rejects.toThrow("RESOURCE_EXHAUSTED")
})

test.each([
  [{ cancelled: true }, "WORKDIR_UNAVAILABLE: the gateway is being stopped"],
  [{ code: "RESOURCE_EXHAUSTED", about: { partial: { removed: 3 }, cancelled: true } }, "WORKDIR_UNAVAILABLE: the gateway is being stopped; 3 removed by then"],
  [{ code: "ACCESS_DENIED", about: {} }, "ACCESS_DENIED"],
  [{ crash: "a lane ended" }, "a lane ended"],
] as const)("an interrupted tree operation that ends with %j says %s", async (failure, said) => {
  const call = new PendingCall("tree", "filesDeleteTree", { path: "d" }, { signal: new AbortController().signal, deadline: performance.now() + 1000 })
  call.lane = { cancel: () => {} } as unknown as Lane
  call.interrupt(new ToolError("WORKDIR_UNAVAILABLE", { detail: "the gateway is being stopped", advice: "" }))
  call.finish({ failure })
  await expect(call.answer).rejects.toThrow(said)
})
