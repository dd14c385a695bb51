import { describe, expect, test } from "bun:test"
import { ripgrepArgs, type SearchQuery } from "../../src/search/args.ts"
import { Policy } from "../../src/workdir/policy.ts"

const QUERY: SearchQuery = { query: "needle", regex: false, caseSensitive: true, glob: "", includeIgnored: false }
const BOUNDS = { maxFileBytes: 1000, maxLinesPerFile: 7 }

function args(query: Partial<SearchQuery> = {}, policy: Partial<ConstructorParameters<typeof Policy>[0]> = {}): string[] {
  const config = { allowHidden: false, disableDefaultDeny: false, extraDenyGlobs: [], ...policy }
  return ripgrepArgs({ ...QUERY, ...query }, new Policy(config), BOUNDS)
}

describe("ripgrepArgs()", () => {
  test("puts the query and the operand after the end of options, whatever the query is", () => {
    for (const query of ["-e", "--pre=id", "$(x)", "--", "."]) expect(args({ query }).slice(-3)).toEqual(["--", query, "."])
  })

  test("puts the caller's glob in one word, before every exclusion", () => {
    const words = args({ glob: "--pre=id" })
    const globs = words.filter((word) => word.startsWith("--glob="))
    expect(globs[0]).toBe("--glob=--pre=id")
    expect(globs.slice(1).every((word) => word.startsWith("--glob=!"))).toBe(true)
    expect(words).not.toContain("--pre=id")
  })

  test("excludes hidden, reserved, version control and denied names", () => {
    expect(args()).toEqual(expect.arrayContaining(["--no-hidden", "--glob=!.*", "--glob=!.git/", "--glob=!.hg/", "--glob=!.svn/", "--glob=!.serverfs-tmp-*", "--glob=!.serverfs-disabled", "--glob=!*.pem"]))
    const open = args({}, { allowHidden: true, disableDefaultDeny: true, extraDenyGlobs: ["x.secret/**"] })
    expect(open).toEqual(expect.arrayContaining(["--hidden", "--glob=!.git/", "--glob=!.serverfs-tmp-*", "--glob=!x.secret"]))
    for (const released of ["--glob=!.*", "--glob=!*.pem", "--no-hidden"]) expect(open).not.toContain(released)
  })

  test("reads no configuration, and no ignore file from above or outside", () => {
    expect(args()).toEqual(expect.arrayContaining(["--no-config", "--no-ignore-parent", "--no-ignore-global", "--no-ignore-exclude", "--no-require-git"]))
    expect(args({ includeIgnored: true })).toContain("--no-ignore")
  })

  test("is literal and exact in case unless told otherwise", () => {
    expect(args()).toEqual(expect.arrayContaining(["--fixed-strings", "--case-sensitive"]))
    const regex = args({ regex: true, caseSensitive: false })
    expect(regex).toEqual(expect.arrayContaining(["--crlf", "--ignore-case", "--regex-size-limit=16M"]))
    expect(regex).not.toContain("--fixed-strings")
  })
})
