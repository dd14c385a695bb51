import { describe, expect, test } from "bun:test"
import { aliasFor, isAlias } from "../../../src/config/directories/alias.ts"

describe("isAlias()", () => {
  test.each(["a", "Z", "Project-A_2", "a".repeat(32)])("takes %s", (text) => {
    expect(isAlias(text)).toBe(true)
  })

  test.each(["", "/foo", "../foo", "foo bar", "123project", "a".repeat(33), "中文", "_a", "-a", "a.b", "a\n", "é"])("refuses %j", (text) => {
    expect(isAlias(text)).toBe(false)
  })
})

describe("aliasFor()", () => {
  test.each([
    ["project", "project"], ["my project (old)", "my-project-old"], ["Café.d", "Cafe-d"], ["123project", "project"], [".config", "config"],
    ["2024", "workdir"], ["中文", "workdir"], ["", "workdir"], ["a".repeat(40), "a".repeat(32)], [`${"a".repeat(31)} b`, "a".repeat(31)], ["x--", "x"],
  ])("%j becomes %s", (name, alias) => {
    expect(aliasFor(name)).toBe(alias)
    expect(isAlias(alias)).toBe(true)
  })
})
