import { describe, expect, test } from "bun:test"
import { parseOptions } from "../../src/cli/parse-options.ts"
import { UsageError } from "../../src/cli/usage-error.ts"

const OPTIONS = { name: { type: "string" }, mount: { type: "string", multiple: true }, wide: { type: "boolean" } } as const

describe("parseOptions()", () => {
  test("takes lists, and switches that are said twice", () => {
    const { values, positionals } = parseOptions(["--name", "a", "--mount=x", "--mount", "y", "--wide", "--wide", "file"], OPTIONS, true)
    expect({ ...values, positionals }).toEqual({ name: "a", mount: ["x", "y"], wide: true, positionals: ["file"] })
  })

  test("refuses a second value where one is to be had: neither is silently the one that counts", () => {
    expect(() => parseOptions(["--name", "a", "--name=b"], OPTIONS, false)).toThrow(new UsageError("--name is given more than once; keep one"))
  })

  test("says in one line what a value that begins with a dash needs", () => {
    expect(() => parseOptions(["--name", "-x"], OPTIONS, false)).toThrow(/ambiguous\. Did you forget .* use '--name=-XYZ'\.$/)
  })

  test.each([["--nmae=a"], ["--name"], ["file"]])("refuses %s", (word) => {
    expect(() => parseOptions([word], OPTIONS, false)).toThrow(UsageError)
  })
})
