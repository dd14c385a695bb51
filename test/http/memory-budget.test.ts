import { describe, expect, test } from "bun:test"
import { BODY_BYTES, MemoryBudget, UNSENT_BYTES } from "../../src/http/memory-budget.ts"

const here = () => new AbortController().signal

describe("MemoryBudget", () => {
  test("refuses the body that would be over, of the same principal alone, until another is given back", () => {
    const budget = new MemoryBudget(() => {})
    const first = budget.open("a")
    expect(first.add(BODY_BYTES - 1)).toBe(true)
    expect([budget.open("a").add(2), budget.open("b").add(2), budget.open("a").add(1)]).toEqual([false, true, true])
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    expect([budget.open("a").add(BODY_BYTES), budget.open("a").add(BODY_BYTES - 1)]).toEqual([false, true])
  })

  test("takes no request, however small, while so much is unsent, and takes them again once it is sent", () => {
    const budget = new MemoryBudget(() => {})
    const sent = budget.unsent("a", UNSENT_BYTES, here())
    expect([budget.open("a").add(0), budget.open("b").add(0)]).toEqual([false, true])
    sent()
    sent()
    expect(budget.open("a").add(0)).toBe(true)
    const [one, _other] = [budget.unsent("a", UNSENT_BYTES - 1, here()), budget.unsent("a", 1, here())]
    expect(budget.open("a").add(0)).toBe(false)
    one()
    expect(budget.open("a").add(0)).toBe(true)
  })

  test("tells of each refusal whose it was", () => {
    const refused: string[] = []
    const budget = new MemoryBudget((principal) => void refused.push(principal))
    budget.open("a").add(BODY_BYTES)
    budget.open("b").add(1)
    budget.open("a").add(1)
    expect(refused).toEqual(["a"])
  })

  test("counts nothing for a client that has gone, before or after", () => {
    const budget = new MemoryBudget(() => {})
    const gone = new AbortController()
    budget.unsent("a", UNSENT_BYTES, AbortSignal.abort())
    expect(budget.open("a").add(0)).toBe(true)
    const sent = budget.unsent("a", UNSENT_BYTES, gone.signal)
    expect(budget.open("a").add(0)).toBe(false)
    gone.abort()
    sent()
    expect(budget.open("a").add(0)).toBe(true)
  })
})
