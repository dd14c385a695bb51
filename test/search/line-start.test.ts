import { expect, test } from "bun:test"
import { rgPath } from "@vscode/ripgrep"
import { behindBom } from "../../src/search/line-start.ts"

/** What ripgrep finds in a line, with the pattern as it is given to it. */
function finds(pattern: string, line: string): boolean {
  const { exitCode } = Bun.spawnSync([rgPath, "--no-config", "--encoding=none", "--crlf", "--quiet", "--", pattern], { stdin: Buffer.from(`${line}\n`) })
  return exitCode === 0
}

test("every beginning of a line stands behind a BOM too, and nothing else of a pattern changes", () => {
  const anchored = ["^a", "b|^a", "(^|x)a", "(?i)^A", "(?-u)^a", "\\Aa", "^^a", "(?:^)?^a$", "[b^]|^a", "[^]b]|^a", "[^-b]|^a", "[[:^alpha:]]+|^a", "[a&&[^b]]$"]
  for (const pattern of anchored) {
    expect([pattern, finds(behindBom(pattern), "a")]).toEqual([pattern, true])
    expect([pattern, finds(behindBom(pattern), "\ufeffa")]).toEqual([pattern, true])
  }
  for (const plain of ["a", "[^]^]", "[]^]", "[-^]", "\\^", "\\[", "[a[^b]]", "\\\\[^x]", "a$", "\\bA", "[[:^alpha:]]", "(?:a)", "", "(?x)[ ]^]"]) {
    expect(behindBom(plain)).toBe(plain)
  }
  for (const [pattern, line] of [["^b", "a"], ["^a", "\u200ba"], ["^a", "ba"], ["\\^a", "a"]] as const) {
    expect([pattern, finds(behindBom(pattern), line)]).toEqual([pattern, false])
  }
})

test("what ripgrep refuses, it refuses still", () => {
  for (const bad of ["^(", "[^", "^*(", "(?", "^a{2,1}"]) {
    const { exitCode } = Bun.spawnSync([rgPath, "--no-config", "--quiet", "--", behindBom(bad)], { stdin: Buffer.from("a") })
    expect([bad, exitCode]).toEqual([bad, 2])
  }
})
