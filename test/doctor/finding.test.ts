import { describe, expect, test } from "bun:test"
import { about, splitFault, worst } from "../../src/doctor/finding.ts"
import { reportText } from "../../src/doctor/report.ts"

const { ok, warning, error } = about("check", "subject")

describe("worst()", () => {
  test.each([
    ["nothing", [], "ok", 0],
    ["what is fine", [ok("a")], "ok", 0],
    ["a warning", [ok("a"), warning("b", "c"), ok("d")], "warning", 1],
    ["an error among warnings", [warning("b", "c"), error("d", "e"), warning("f", "g")], "error", 2],
  ] as const)("of %s", (_name, findings, level, status) => {
    expect(worst(findings)).toEqual({ level, status })
  })
})

describe("splitFault()", () => {
  test("takes the fix from behind the first semicolon", () => {
    expect(splitFault("is taken; choose another; or none")).toEqual({ wrong: "is taken", fix: "choose another; or none" })
  })

  test("has a fix for a fault that names none", () => {
    expect(splitFault("is taken").fix).not.toBe("")
  })
})

describe("reportText()", () => {
  test("is a line each, with what to do below, and a count", () => {
    expect(reportText([about("port").ok("is free"), warning("is odd", "mend it")])).toBe([
      "ok        port: is free",
      "WARNING   check subject: is odd",
      "          do: mend it",
      "",
      "0 errors, 1 warning, 2 findings",
      "",
    ].join("\n"))
  })

  test("escapes what a name could paint on the terminal", () => {
    expect(reportText([about("root", "a\u001b[2J\nok").ok("fine")])).toStartWith("ok        root a\\u001b[2J\\u000aok: fine\n")
  })
})
