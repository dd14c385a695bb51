import { describe, expect, test } from "bun:test"
import { searchText } from "../../../../src/services/serverfs/tools/search-text.ts"
import { LIMITS } from "../../../helpers/limits.ts"
import { refusalOf } from "../../../helpers/refusal-of.ts"

const search = searchText(LIMITS)

const UNUSABLE = "must be well-formed Unicode without a NUL, at most 4096 bytes long"

describe("search_text", () => {
  const query = (query: string, more: object = {}) => refusalOf(() => search.parse({ workdir: "main", query, ...more }))

  test("refuses what no line can hold with INVALID_ARGUMENTS that names the argument", () => {
    expect(query("")).toBe("INVALID_ARGUMENTS: query must not be empty")
    expect(query("a\nb")).toBe("INVALID_ARGUMENTS: query must not hold a newline: matches are within one line")
    for (const bad of ["a\0", "\ud800", "é".repeat(2049)]) {
      expect(query(bad)).toBe(`INVALID_ARGUMENTS: query ${UNUSABLE}`)
      expect(query("x", { glob: bad })).toBe(`INVALID_ARGUMENTS: glob ${UNUSABLE}`)
    }
    expect([query("x".repeat(4096)), query("\r"), query("a\nb", { regex: true }), query("x", { glob: "" })]).toEqual(Array(4).fill("accepted"))
  })

  test("publishes the configured defaults and says which files are left out", () => {
    const properties = search.inputSchema.properties as Record<string, { default?: unknown }>
    expect([properties.limit?.default, properties.case_sensitive?.default, properties.context_lines?.default]).toEqual([50, true, 0])
    expect(search.description).toContain("files over 50 MiB")
    expect(search.inputSchema.required).toEqual(["workdir", "query"])
  })
})
