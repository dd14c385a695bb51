import { describe, expect, test } from "bun:test"
import { boolean, denyGlob, integer, type Kind, list, offOr, oneOf, token } from "../../../src/config/variables/kind.ts"

const shout: Kind<string> = { accepts: "a word in lower case", parse: (text) => (/^[a-z]+$/.test(text) ? text.toUpperCase() : undefined) }

describe("integer()", () => {
  test.each([["1", 1], ["007", 7], ["1099511627776", 2 ** 40]])("takes %s", (text, value) => {
    expect(integer().parse(text)).toBe(value)
  })

  test.each(["0", "-1", "+1", "1.5", "1e3", "0x10", "1_000", " 1", "1 ", "1\n", "", "abc", "١", "1099511627777", "9".repeat(400)])("refuses %j", (text) => {
    expect(integer().parse(text)).toBeUndefined()
  })

  test("keeps its bounds, zero among them", () => {
    expect([integer(0, 65535).parse("0"), integer(0, 65535).parse("65535")]).toEqual([0, 65535])
    expect(integer(0, 65535).parse("65536")).toBeUndefined()
  })
})

describe("boolean", () => {
  test.each(["true", "TRUE", "1", "Yes", "ON"])("%s is true", (text) => {
    expect(boolean.parse(text)).toBe(true)
  })

  test.each(["false", "False", "0", "no", "OFF"])("%s is false", (text) => {
    expect(boolean.parse(text)).toBe(false)
  })

  test.each(["", "2", "tru", "maybe", "rw", "enable", " true", "true\n", "y", "constructor", "__proto__"])("refuses %j", (text) => {
    expect(boolean.parse(text)).toBeUndefined()
  })
})

describe("oneOf()", () => {
  test("takes its words in any case and gives them as listed", () => {
    const level = oneOf("DEBUG", "INFO")
    expect(["debug", "Info", "INFO"].map(level.parse)).toEqual(["DEBUG", "INFO", "INFO"])
    expect(["", "warn", "INFO "].map(level.parse)).toEqual([undefined, undefined, undefined])
  })
})

describe("offOr()", () => {
  test("off is null, anything else goes to the kind", () => {
    expect(["off", "OFF", "7", "0", "no"].map(offOr(integer()).parse)).toEqual([null, null, 7, undefined, undefined])
  })
})

describe("list()", () => {
  test("trims items and drops empty ones", () => {
    expect(list(shout).parse(" a ,b,, c,")).toEqual(["A", "B", "C"])
    expect(list(shout).parse(" , ")).toEqual([])
  })

  test("one bad item refuses the whole list", () => {
    expect(list(shout).parse("a,B")).toBeUndefined()
  })
})

describe("token", () => {
  test.each(["x".repeat(32), "AZaz09-._~+/=".repeat(3)])("takes %s", (text) => {
    expect(token.parse(text)).toBe(text)
  })

  test.each(["x".repeat(31), "", ` ${"x".repeat(32)}`, `${"x".repeat(32)}\n`, `${"x".repeat(31)}é`, `${"x".repeat(16)} ${"x".repeat(16)}`])("refuses %j", (text) => {
    expect(token.parse(text)).toBeUndefined()
  })
})

describe("denyGlob", () => {
  test.each(["blocked.txt", "*.secret", "internal/**", "logs_*/**", "**", "[ab]*", "[!a-c].x", "[]]", "[[]x", "a]", "a b"])("takes %s", (text) => {
    expect(denyGlob.parse(text)).toBe(text)
  })

  test.each(["a/b", "a/", "/a", "/**", "a/b/**", "**/a", "./a", "a/**/b"])("refuses %s, which could never match one name", (text) => {
    expect(denyGlob.parse(text)).toBeUndefined()
  })

  test.each(["*.{a,b}", "*.{a", "b}", "{a}/**", "[{]", "[", "a[", "[]", "[!]", "[!", "[ab", "[ab/**", "[a][b"])("refuses %s, which would be plain characters to it", (text) => {
    expect(denyGlob.parse(text)).toBeUndefined()
  })
})
