import { describe, expect, test } from "bun:test"
import { DirectoryLock } from "../../src/lane/directory-lock.ts"
import { MutationLock } from "../../src/lane/mutation-lock.ts"

const nothing = () => {}

/** The lock of one directory, and what it said. */
function directory(shared: MutationLock) {
  const said: string[] = []
  const lock = new DirectoryLock(shared, { lost: () => said.push("lost"), returned: () => said.push("returned") })
  return { lock, said }
}

describe("DirectoryLock", () => {
  test("holds its own others back while a holder that lost the lock has not come back, and lets every other directory by", async () => {
    const shared = new MutationLock(200)
    const hung = directory(shared), other = directory(shared)
    const order: string[] = []
    const comeBack = hung.lock.request(nothing)
    hung.lock.request(() => order.push("behind it"))
    const start = performance.now()
    const waited = await new Promise<number>((resolve) => {
      const done = other.lock.request(() => {
        order.push("elsewhere")
        done()
        resolve(performance.now() - start)
      })
    })
    expect(waited).toBeWithin(190, 400)
    expect([hung.lock.lost, other.lock.lost]).toEqual([true, false])
    hung.lock.request(() => order.push("too early"))()
    expect(order).toEqual(["elsewhere"])
    comeBack()
    expect(order).toEqual(["elsewhere", "behind it"])
    expect([hung.said, other.said]).toEqual([["lost", "returned"], []])
    expect(hung.lock.lost).toBe(false)
  })

  test("gives nothing back twice", () => {
    const shared = new MutationLock()
    const { lock } = directory(shared)
    const first = lock.request(nothing)
    first()
    let second = false
    lock.request(() => { second = true })
    expect(second).toBe(true)
    let third = false
    lock.request(() => { third = true })
    first()
    expect(third).toBe(false)
  })
})
