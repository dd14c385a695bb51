import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import type { Fault } from "../../src/config/fault.ts"
import { parseEnvFile } from "../../src/config/variables/env-file.ts"
import { COMPOSE_VARIABLES, SLOT_VARIABLES, VARIABLES } from "../../src/config/variables/variables.ts"

const text = readFileSync(new URL("../../.env.example", import.meta.url), "utf8")
const lines = text.split("\n")
const SETTING = /^# ([A-Z][A-Z0-9_]*)=(.*)$/

describe(".env.example", () => {
  const faults: Fault[] = []
  const shown = parseEnvFile(lines.map((line) => (SETTING.test(line) ? line.slice(2) : line)).join("\n"), faults)
  const slot = Object.fromEntries(Object.entries(SLOT_VARIABLES).map(([key, variable]) => [`WORKDIR_01_${key}`, variable]))

  test("names every variable there is, each once, and no other", () => {
    expect(faults).toEqual([])
    expect(Object.keys(shown).sort()).toEqual([...Object.keys(VARIABLES), ...Object.keys(slot), ...Object.keys(COMPOSE_VARIABLES)].sort())
  })

  test("shows every default as it is", () => {
    const defaults = Object.entries({ ...VARIABLES, ...slot }).map(([name, variable]) => [name, variable.default])
    expect(Object.fromEntries(Object.keys(shown).filter((name) => !(name in COMPOSE_VARIABLES)).map((name) => [name, shown[name]]))).toEqual(Object.fromEntries(defaults))
  })

  test("sets nothing as it stands, and explains what comes before it", () => {
    expect(parseEnvFile(text, [])).toEqual({})
    const unexplained = lines.filter((line, i) => SETTING.test(line) && !lines[i - 1]?.startsWith("# "))
    expect(unexplained).toEqual([])
  })
})

describe("VARIABLES", () => {
  test.each(Object.entries({ ...VARIABLES, ...SLOT_VARIABLES }))("%s has a default that its own kind takes", (_name, { kind, default: fallback }) => {
    if (fallback !== "") expect(kind.parse(fallback)).not.toBeUndefined()
    expect(kind.accepts).not.toBe("")
  })
})
