import { describe, expect, test } from "bun:test"
import { findFiles } from "../../../../src/services/serverfs/tools/find-files.ts"
import { LIMITS } from "../../../helpers/limits.ts"
import { refusalOf } from "../../../helpers/refusal-of.ts"

const find = findFiles(LIMITS)
const UNUSABLE = "must be well-formed Unicode without a NUL, at most 4096 bytes long"

describe("find_files", () => {
  const pattern = (pattern: string) => refusalOf(() => find.parse({ workdir: "main", pattern }))

  test("refuses what no name can match with INVALID_ARGUMENTS that names the argument", () => {
    expect(pattern("")).toBe("INVALID_ARGUMENTS: pattern must not be empty")
    for (const bad of ["a\0", "\udfff", "x".repeat(4097)]) expect(pattern(bad)).toBe(`INVALID_ARGUMENTS: pattern ${UNUSABLE}`)
    expect(pattern("[")).toBe("accepted")
  })
})
