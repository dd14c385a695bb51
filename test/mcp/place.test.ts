import { describe, expect, test } from "bun:test"
import { Place } from "../../src/mcp/place.ts"

function setup() {
  let left = 0
  const place = new Place(() => { left += 1 })
  return { place, left: () => left }
}

describe("Place", () => {
  test("is given back when the call has been answered, if nothing else goes on", () => {
    const { place, left } = setup()
    place.begin()()
    expect(left()).toBe(0)
    place.end()
    expect(left()).toBe(1)
  })

  test("is held by what goes on after the answer, and given back once", () => {
    const { place, left } = setup()
    const [one, other] = [place.begin(), place.begin()]
    place.end()
    one()
    one()
    expect(left()).toBe(0)
    other()
    other()
    expect(left()).toBe(1)
  })
})
