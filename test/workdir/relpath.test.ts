import { describe, expect, test } from "bun:test"
import { parsePath } from "../../src/workdir/relpath.ts"
import { codeOf } from "../helpers/in-lane.ts"

describe("parsePath()", () => {
  test.each([
    ["", []],
    [".", []],
    ["./", []],
    ["sub/..", []],
    ["a//b/./c/", ["a", "b", "c"]],
    ["missing/../a.txt", ["a.txt"]],
    ["a\\b", ["a\\b"]],
    ["%2e%2e", ["%2e%2e"]],
    [" a ", [" a "]],
    ["d/~x", ["d", "~x"]],
    ["...", ["..."]],
  ])("normalises %j", (given, components) => {
    expect([...parsePath(given).components]).toEqual(components)
  })

  test.each(["/etc", "//etc", "~", "~/x", "..", "a/../..", "a/../../a", "../x/.."])("refuses %j with PATH_OUTSIDE_WORKDIR", async (given) => {
    expect(await codeOf(() => parsePath(given))).toBe("PATH_OUTSIDE_WORKDIR")
  })

  test.each([
    ["/kernel/fork.c", "leave out the leading '/'; for example 'kernel/fork.c'"],
    ["//a", "leave out the leading '/'; for example 'a'"],
    ["/", "leave out the leading '/'; the root is the empty path"],
    [`/${"x/".repeat(1000)}`, `for example '${"x/".repeat(150)}…'`],
    ["~/a", "use a path relative to the root"],
  ])("says what to write instead of %j", (given, advice) => {
    expect(() => parsePath(given)).toThrow(advice)
  })

  test.each([["a NUL", "a\0b"], ["a lone surrogate", "a\ud800"], ["a long path", "x/".repeat(2049)], ["a long name", "é".repeat(128)], ["a long name that .. would drop", `${"x".repeat(256)}/../a`]])(
    "refuses %s with ACCESS_DENIED", async (_, given) => {
      expect(await codeOf(() => parsePath(given))).toBe("ACCESS_DENIED")
    })

  test("looks for a NUL before it looks where the path leads", async () => {
    expect(await codeOf(() => parsePath("/\0"))).toBe("ACCESS_DENIED")
  })

  test("takes a name of 255 bytes and a path of 4,096", () => {
    expect(parsePath("y".repeat(255)).components).toHaveLength(1)
    expect(parsePath(`${"x/".repeat(2047)}xy`).components).toHaveLength(2048)
  })
})
