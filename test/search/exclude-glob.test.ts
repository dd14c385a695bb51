import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { rgPath } from "@vscode/ripgrep"
import { excludeGlob } from "../../src/search/exclude-glob.ts"
import { compileName } from "../../src/workdir/glob.ts"
import { scratch } from "../helpers/scratch.ts"

/** Names that the real ripgrep lists in `dir` when it is told to leave out what `glob` matches. */
function kept(dir: string, glob: string): Set<string> {
  const excluded = excludeGlob(glob)
  const args = ["--no-config", "--hidden", "--no-ignore", "--files", "--null", ...(excluded === null ? [] : [`--glob=!${excluded}`]), "."]
  const { stdout, stderr } = Bun.spawnSync([rgPath, ...args], { cwd: dir, env: {} })
  expect(stderr.toString()).toBe("")
  return new Set(stdout.toString().split("\0").filter((each) => each !== "").map((each) => each.slice(2)))
}

const NAMES = [
  "a", "b", "ab", "a-b", "a,b", "{a,b}", "a]", "[a]", "a!", "!a", "^a", "#a", "a\\b", "\\", "a b", "a ", " a", "a\nb", "a\tb", "-", "--", "]", "[", "{", "}",
  "a*b", "a?b", "*", "?", "~a", "A", "Ab", ".a", ".env", "x.env", "server.pem", "é", "aé", "é.pem",
]

/** Exact for these names: no `?` and no class meets a letter that is not ASCII. */
const EXACT = [
  "a", "*", "a*", "*b", "*.pem", ".env", ".env.*", "*.env", "a,b", "{a,b}", "{a}", "a\\b", "\\", "\\*", "!a", "!*", "^a", "#a", "#*", "a b", "*b ", "a\nb", "[a]", "[ab]", "[!]a]",
  "[]]", "[[]", "[a-]", "[-a]", "[a-b]*", "[b-a]", "[!b-a]x", "[^a]", "[a", "[", "[]", "a[!]", "a[*?]b", "[{}]", "[,]", "a[ \t]b", "é", "aé", "é*", "a\u0085",
]

describe("excludeGlob()", () => {
  test("makes ripgrep leave out exactly the names that the policy denies", () => {
    using dir = scratch(Object.fromEntries(NAMES.map((name) => [name, "x"])))
    for (const glob of EXACT) {
      const denied = compileName(glob)
      expect([glob, kept(dir.path, glob)]).toEqual([glob, new Set(NAMES.filter((name) => !denied(name)))])
    }
  })

  test("never keeps a denied name where `?` and classes meet other scripts", () => {
    const names = ["é", "éé", "aé", "日", "日本", "😀", "a😀", "ab", "x"]
    using dir = scratch(Object.fromEntries(names.map((name) => [name, "x"])))
    for (const glob of ["?", "??", "a?", "[é]", "[!a]", "[!é]", "[é-日]", "[a-z]?", "[😀-😂]"]) {
      const denied = compileName(glob)
      const shown = kept(dir.path, glob)
      expect([glob, readdirSync(dir.path).filter((name) => denied(name) && shown.has(name))]).toEqual([glob, []])
      // Names in ASCII are exact even then.
      expect([glob, shown.has("ab"), shown.has("x")]).toEqual([glob, !denied("ab"), !denied("x")])
    }
  })

  test("gives nothing for a glob that no name can match", () => {
    expect(["a/b", "/", "[b-a]", ""].map(excludeGlob)).toEqual([null, null, null, null])
  })
})
