import { describe, expect, test } from "bun:test"
import { Throttle } from "../../src/audit/throttle.ts"

describe("Throttle", () => {
  test("admit() lets ten through and counts the rest for the summary", () => {
    const summaries: number[] = []
    const throttle = new Throttle((suppressed) => summaries.push(suppressed))
    const admitted = Array.from({ length: 35 }, () => throttle.admit())
    expect(admitted.filter(Boolean)).toHaveLength(10)
    throttle.flush()
    expect(summaries).toEqual([25])
  })

  test("flush() opens a new window and is silent when nothing was suppressed", () => {
    const summaries: number[] = []
    const throttle = new Throttle((suppressed) => summaries.push(suppressed))
    expect(throttle.admit()).toBe(true)
    throttle.flush()
    expect(Array.from({ length: 10 }, () => throttle.admit())).not.toContain(false)
    throttle.flush()
    expect(summaries).toEqual([])
  })
})
