import { describe, expect, test } from "bun:test"
import { type Lease, MutationLock } from "../../src/lane/mutation-lock.ts"

const nothing = () => {}

describe("MutationLock", () => {
  test("is given in the order of the requests, one at a time", () => {
    const lock = new MutationLock()
    const order: number[] = []
    const leases: Lease[] = []
    for (const n of [1, 2, 3]) lock.request((lease) => { order.push(n); leases.push(lease) }, nothing)
    expect([order, lock.waiting]).toEqual([[1], 2])
    leases[0]?.release()
    leases[0]?.release()
    expect(order).toEqual([1, 2])
    leases[1]?.release()
    expect(order).toEqual([1, 2, 3])
  })

  test("forgets a request that was taken back", () => {
    const lock = new MutationLock()
    let held: Lease | undefined
    lock.request((lease) => { held = lease }, nothing)
    let reached = false
    lock.request(() => { reached = true }, nothing)()
    held?.release()
    expect([reached, lock.waiting]).toEqual([false, 0])
  })

  test("is taken from a holder that does not come back within 2 s, and only while others wait", async () => {
    const lock = new MutationLock()
    let lost = false
    let first: Lease | undefined
    lock.request((lease) => { first = lease }, () => { lost = true })
    await Bun.sleep(2050)
    lock.expire()
    expect(lost).toBe(false)
    let second = false
    lock.request(() => { second = true }, nothing)
    lock.expire()
    expect([lost, second]).toEqual([true, true])
    let third = false
    lock.request(() => { third = true }, nothing)
    first?.release()
    expect(third).toBe(false)
  })
})
