import { describe, expect, test } from "bun:test"
import { COMMANDS } from "../../src/cli/command-table.ts"
import { helpText } from "../../src/cli/help.ts"
import { OPTIONS } from "../../src/cli/options.ts"
import { unsupported } from "../../src/cli/platform.ts"
import { SLOT_VARIABLES, VARIABLES } from "../../src/config/variables/variables.ts"

describe("helpText()", () => {
  const text = helpText("1.2.3")
  const lines = text.split("\n")

  test("names the version, every command, option and variable, with the default", () => {
    expect(text).toContain("serverfs 1.2.3")
    for (const [name, meaning] of Object.entries(COMMANDS)) expect(lines.some((line) => line.startsWith(`  ${name} `) && line.endsWith(meaning))).toBe(true)
    for (const [name, { meaning }] of Object.entries(OPTIONS)) expect(lines.some((line) => line.includes(`--${name} `) && line.endsWith(meaning))).toBe(true)
    const slot = Object.entries(SLOT_VARIABLES).map(([key, variable]) => [`WORKDIR_XX_${key}`, variable] as const)
    for (const [name, { meaning, default: fallback }] of [...slot, ...Object.entries(VARIABLES)]) {
      const end = fallback === "" ? meaning : `${meaning} (${fallback})`
      expect(lines.some((line) => line.startsWith(`  ${name} `) && line.endsWith(end))).toBe(true)
    }
  })

  test("says which directories are not served unasked", () => {
    expect(text).toContain("(not the home, one around it, or /)")
  })

  test("fits a terminal and ends with its last word", () => {
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120)
    expect(text).toEndWith("them.")
  })
})

describe("unsupported()", () => {
  test("lets Linux pass and says so of anything else", () => {
    expect(unsupported("linux")).toBeNull()
    for (const platform of ["darwin", "win32", "freebsd"]) expect(unsupported(platform)).toMatch(new RegExp(`^serverfs: this is ${platform}, .*Linux only`))
  })
})
