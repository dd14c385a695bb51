import { expect, test } from "bun:test"
import { HeldUp } from "../../src/operations/search-text/held-up.ts"

/** A ripgrep that has used as much CPU time as is said. */
function running(cpuMs: () => number, isAwaited = true) {
  return { isAwaited, get cpuMs() { return cpuMs() }, ended: false, end() { this.ended = true } }
}

const busy = () => { const start = performance.now(); return () => performance.now() - start }

test("one that works, or whose output nobody waits for, is left alone", async () => {
  let asked = 0
  const find = async () => { asked++; return "q" }
  using working = new HeldUp(running(busy()), find)
  using unread = new HeldUp(running(() => 0, false), find)
  await Bun.sleep(1600)
  expect([asked, working.culprit, unread.culprit]).toEqual([0, null, null])
})

test("one that waits is ended for what is found, and for nothing else", async () => {
  const waiting = running(() => 0), other = running(() => 0)
  using heldUp = new HeldUp(waiting, async () => "q")
  using without = new HeldUp(other, async () => null)
  await Bun.sleep(1600)
  expect([heldUp.culprit, waiting.ended, without.culprit, other.ended]).toEqual(["q", true, null, false])
})

test("one that went on while it was looked for is left alone", async () => {
  let cpuMs = 0
  const slow = running(() => cpuMs)
  using heldUp = new HeldUp(slow, async () => { cpuMs = 5000; return "q" })
  await Bun.sleep(1600)
  expect([heldUp.culprit, slow.ended]).toEqual([null, false])
})

test("nobody looks any further once the search is over", async () => {
  const told = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  const heldUp = new HeldUp(running(() => 0), async (proceed) => {
    begun.resolve()
    await Bun.sleep(50)
    try { proceed() } catch (error) { told.resolve(String(error)) }
    return "q"
  })
  await begun.promise
  heldUp[Symbol.dispose]()
  expect(await told.promise).toContain("over")
  expect(heldUp.culprit).toBeNull()
})
