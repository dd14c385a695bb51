import { describe, expect, test } from "bun:test"
import { Attempts } from "../../src/oauth/attempts.ts"
import { Pending } from "../../src/oauth/pending.ts"
import { RateLimit } from "../../src/oauth/rate-limit.ts"
import { sourceOf } from "../../src/oauth/source.ts"

const MINUTE = 60_000

describe("RateLimit", () => {
  test("lets a burst through, then a steady rate, and says how long to wait", () => {
    const limit = new RateLimit({ burst: 3, perMinute: 6 })
    expect([0, 0, 0, 0].map(() => limit.take("a", 0))).toEqual([0, 0, 0, 10])
    expect(limit.take("b", 0)).toBe(0)
    expect([limit.take("a", 9_000), limit.take("a", 10_000), limit.take("a", 10_000)]).toEqual([1, 0, 10])
    expect([0, 0, 0, 0].map(() => limit.take("a", 60 * MINUTE))).toEqual([0, 0, 0, 10])
  })

  test("gives one back", () => {
    const limit = new RateLimit({ burst: 1, perMinute: 1 })
    limit.take("a", 0)
    limit.give("a")
    expect([limit.take("a", 0), limit.take("a", 0)]).toEqual([0, 60])
  })

  test("a clock that is set back takes nothing away", () => {
    const limit = new RateLimit({ burst: 2, perMinute: 60 })
    limit.take("a", 24 * 60 * MINUTE)
    expect([limit.take("a", 0), limit.take("a", 0), limit.take("a", 1000)]).toEqual([0, 1, 0])
  })

  test("keeps bounded memory: the longest unseen is forgotten first", () => {
    const limit = new RateLimit({ burst: 1, perMinute: 1 })
    limit.take("first", 0)
    for (let i = 0; i < 4095; i++) limit.take(`s${i}`, 0)
    expect(limit.take("first", 0)).toBe(60)
    for (let i = 0; i < 4096; i++) limit.take(`t${i}`, 0)
    expect(limit.take("first", 0)).toBe(0)
  })
})

describe("Attempts", () => {
  test("four typing errors are free; then a source waits, longer each time, a quarter of an hour at most", () => {
    const attempts = new Attempts()
    const waits: number[] = []
    for (let now = 0, i = 0; i < 12; i++) {
      expect(attempts.begin("a", now)).toBe(0)
      // What the next try would be told; it is not begun.
      const wait = i < 4 ? 0 : attempts.begin("a", now)
      waits.push(wait)
      now += Math.max(10, wait) * 1000
    }
    expect(waits).toEqual([0, 0, 0, 0, 60, 120, 240, 480, 900, 900, 900, 900])
  })

  test("a wait ends with a clock that is set back", () => {
    const attempts = new Attempts()
    for (let i = 0; i < 5; i++) attempts.begin("a", 24 * 60 * MINUTE)
    expect([attempts.begin("a", 24 * 60 * MINUTE), attempts.begin("a", 0)]).toEqual([60, 0])
  })

  test("succeeded() forgives the source", () => {
    const attempts = new Attempts()
    for (let i = 0; i < 4; i++) attempts.begin("a", i * MINUTE)
    attempts.succeeded("a")
    expect([10, 11, 12, 13].map((at) => attempts.begin("a", at * MINUTE))).toEqual([0, 0, 0, 0])
  })

  test("tries at the same time count before any of them is answered", () => {
    const attempts = new Attempts()
    const begun = Array.from({ length: 100 }, () => attempts.begin("a", 0))
    expect(begun.filter((wait) => wait === 0)).toHaveLength(5)
  })

  test("many sources share one rate: 10 at once, 6 a minute", () => {
    const attempts = new Attempts()
    const allowed = Array.from({ length: 60 * 24 * 60 }, (_, i) => attempts.begin(`source ${i}`, i * 1000)).filter((wait) => wait === 0)
    expect(allowed.length).toBeLessThanOrEqual(10 + 6 * 60 * 24)
  })

  test("the operator gets in from another source while one is locked out", () => {
    const attempts = new Attempts()
    for (let i = 0; i < 8; i++) attempts.begin("attacker", 0)
    expect(attempts.begin("attacker", 0)).toBeGreaterThan(0)
    expect(attempts.begin("operator", 0)).toBe(0)
  })
})

describe("sourceOf", () => {
  test.each([
    [null, "unknown"],
    ["no address", "unknown"],
    ["198.51.100.7", "198.51.100.7"],
    ["::ffff:198.51.100.7", "198.51.100.7"],
    ["2001:db8:1:2:3:4:5:6", "20010db800010002"],
    ["2001:0DB8:0001:0002::1", "20010db800010002"],
    ["2001:db8::1", "20010db800000000"],
    ["::1", "0000000000000000"],
  ])("of %s is %s", (address, source) => {
    expect(sourceOf(address)).toBe(source)
  })
})

describe("Pending", () => {
  test("gives a request to the browser that made it, once, within ten minutes", () => {
    const pending = new Pending<string>()
    const id = pending.add("request", "browser", 0)
    expect(id).toMatch(/^[A-Za-z0-9_-]{22}$/)
    expect([pending.find(id, "other", 1), pending.take(id, "other", 1), pending.find("", "browser", 1)]).toEqual([null, null, null])
    expect(pending.find(id, "browser", 10 * MINUTE)).toBeNull()
    expect([pending.find(id, "browser", 1), pending.take(id, "browser", 1), pending.take(id, "browser", 1)]).toEqual(["request", "request", null])
  })

  test("keeps 256 at most, the oldest going first", () => {
    const pending = new Pending<number>()
    const ids = Array.from({ length: 257 }, (_, i) => pending.add(i, "browser", i))
    expect(ids.map((id) => pending.find(id, "browser", 300) !== null).indexOf(true)).toBe(1)
  })
})
