import { describe, expect, test } from "bun:test"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { openState } from "../../src/state/state.ts"
import { stateDirectory } from "./state-directory.ts"

const directory = stateDirectory()
const SECRET = "correct horse battery staple"

describe("OperatorSecret", () => {
  test("matches() what was set, and nothing else", async () => {
    using state = openState(directory())
    expect([state.operatorSecret.exists, await state.operatorSecret.matches("")]).toEqual([false, false])
    await state.operatorSecret.set(SECRET, 0)
    expect(state.operatorSecret.exists).toBe(true)
    expect(await state.operatorSecret.matches(SECRET)).toBe(true)
    for (const wrong of ["", ` ${SECRET}`, SECRET.toUpperCase(), "x".repeat(100_000)]) expect(await state.operatorSecret.matches(wrong)).toBe(false)
  })

  test("set() replaces, also for a gateway that has the state open", async () => {
    using gateway = openState(directory())
    using command = openState(directory())
    await command.operatorSecret.set("an old operator secret", 0)
    await command.operatorSecret.set(SECRET, 1)
    expect(await gateway.operatorSecret.matches("an old operator secret")).toBe(false)
    expect(await gateway.operatorSecret.matches(SECRET)).toBe(true)
  })

  test("remove() leaves none", async () => {
    using state = openState(directory())
    await state.operatorSecret.set(SECRET, 0)
    expect([state.operatorSecret.remove(), state.operatorSecret.remove(), state.operatorSecret.exists]).toEqual([true, false, false])
    expect(await state.operatorSecret.matches(SECRET)).toBe(false)
  })

  test("is kept as Argon2id, never as a text", async () => {
    using state = openState(directory())
    await state.operatorSecret.set(SECRET, 0)
    const bytes = readdirSync(directory()).map((name) => readFileSync(join(directory(), name), "latin1")).join("")
    expect(bytes).toContain("$argon2id$v=19$m=19456,t=2,p=1$")
    expect(bytes).not.toContain(SECRET)
  })
})
