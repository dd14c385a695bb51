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

  test("is taken from a holder that does not come back in time, and only while others wait", async () => {
    const lock = new MutationLock(200)
    let lost = false
    let first: Lease | undefined
    lock.request((lease) => { first = lease }, () => { lost = true })
    await Bun.sleep(250)
    expect(lost).toBe(false)
    let second = false
    lock.request(() => { second = true }, nothing)
    await Bun.sleep(5)
    expect([lost, second]).toEqual([true, true])
    let third = false
    lock.request(() => { third = true }, nothing)
    first?.release()
    expect(third).toBe(false)
  })

  test("is waited no longer than that behind one that does not come back, and the next holder has as long", async () => {
    const lock = new MutationLock(200)
    const lost: string[] = []
    const start = performance.now()
    const granted = (name: string) => new Promise<number>((resolve) => lock.request(() => resolve(performance.now() - start), () => lost.push(name)))
    const [first, second, third] = await Promise.all([granted("first"), granted("second"), granted("third")])
    expect(first).toBeLessThan(50)
    expect(second).toBeWithin(190, 300)
    expect(third).toBeWithin(390, 600)
    expect(lost).toEqual(["first", "second"])
  })

  test("stays with its holder when those who waited have gone", async () => {
    const lock = new MutationLock(200)
    let lost = false
    lock.request(nothing, () => { lost = true })
    const withdraw = lock.request(nothing, nothing)
    await Bun.sleep(100)
    withdraw()
    await Bun.sleep(200)
    expect(lost).toBe(false)
  })
})
