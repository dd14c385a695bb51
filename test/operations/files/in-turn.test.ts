import { describe, expect, test } from "bun:test"
import { inTurn } from "../../../src/operations/files/in-turn.ts"

describe("inTurn", () => {
  test("runs one thing at a time, first come, first served", async () => {
    const seen: string[] = []
    const step = (name: string, ms: number) => inTurn(async () => {
      seen.push(`${name} begins`)
      await Bun.sleep(ms)
      seen.push(`${name} ends`)
      return name
    })
    expect(await Promise.all([step("a", 20), step("b", 1), step("c", 5)])).toEqual(["a", "b", "c"])
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
  })

  test("goes on after one that failed", async () => {
    const failing = inTurn(() => { throw new Error("no") })
    const next = inTurn(() => "yes")
    await expect(failing).rejects.toThrow("no")
    expect(await next).toBe("yes")
  })
})
