import { describe, expect, test } from "bun:test"
import { compileName, parseName } from "../../src/workdir/glob.ts"

/** glob, names that match, names that don't. */
const TABLE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["a.txt", ["a.txt"], ["A.txt", "a.txt ", "ba.txt", ""]],
  ["*", ["", "a", ".hidden", "a b"], []],
  ["**", ["", "a"], []],
  ["*.py", [".py", "a.py", "a.b.py"], ["a.pyc", "py", "a.PY"]],
  ["test_*", ["test_", "test_a"], ["atest_", "test"]],
  ["*core*", ["core", "score", "cores", "ecorex"], ["cor", "CORE"]],
  ["a*b*c", ["abc", "axbxc", "abbc", "abcc"], ["ab", "acb", "abcd"]],
  ["ab*ba", ["abba", "abxba"], ["aba", "ab"]],
  ["a*a", ["aa", "aba"], ["a"]],
  ["?", ["a", "é", "😀"], ["", "ab"]],
  ["a?.c", ["a1.c", "a..c"], ["a.c", "a12.c"]],
  ["[12]", ["1", "2"], ["3", "12", ""]],
  ["[!12]", ["3", "é"], ["1", "2", ""]],
  ["[^a]", ["^", "a"], ["b"]],
  ["[a-c]x", ["ax", "cx"], ["dx", "Ax", "-x"]],
  ["[c-a]", [], ["a", "b", "c", "-"]],
  ["[!c-a]", ["a", "-"], [""]],
  ["[]x]", ["]", "x"], ["[", "[]x]"]],
  ["[!]x]", ["a"], ["]", "x"]],
  ["[-a]", ["-", "a"], ["b"]],
  ["[a-]", ["-", "a"], ["b"]],
  ["[a-c-e]", ["a", "b", "c", "-", "e"], ["d"]],
  ["[é-ü]", ["ñ"], ["z"]],
  ["[x-zb-db-ca-bk]", ["a", "b", "c", "d", "k", "x", "z"], ["e", "j", "l", "w"]],
  ["[!x-zb-db-ca-bk]", ["e", "j", "l", "w"], ["a", "c", "k", "y"]],
  ["[😀-😂]", ["😁"], ["😃", "\u{d83d}"]],
  ["[ab.txt", ["[ab.txt"], ["a.txt"]],
  ["[", ["["], [""]],
  ["[!", ["[!"], ["a"]],
  ["[]", ["[]"], [""]],
  ["[!]", ["[!]"], ["a"]],
  ["a[*", ["a[", "a[b"], ["ab"]],
  ["\\*", ["\\", "\\a"], ["*"]],
  ["{a,b}", ["{a,b}"], ["a", "b"]],
  ["[\\n]", ["\\", "n"], ["\n"]],
  ["a\nb", ["a\nb"], ["a", "b"]],
  ["x?*", ["xa", "xab"], ["x"]],
  ["*[0-9]*[0-9]", ["1a2", "12", "a1b2"], ["1", "a1b"]],
]

describe("compileName", () => {
  for (const [glob, hits, misses] of TABLE) {
    test(`compileName() of ${JSON.stringify(glob)} matches exactly what fnmatch does`, () => {
      const matches = compileName(glob)
      for (const name of hits) expect([name, matches(name)]).toEqual([name, true])
      for (const name of misses) expect([name, matches(name)]).toEqual([name, false])
    })
  }

  test("compileName() stays fast on patterns made to backtrack", () => {
    const name = `${"a".repeat(254)}c`
    const patterns = [`${"*a".repeat(2000)}b`, `${"*?a".repeat(80)}b`, `${"[a-z]*".repeat(200)}[b]`, `*${"a".repeat(200)}?b`]
    const started = performance.now()
    for (const pattern of patterns) expect(compileName(pattern)(name)).toBe(false)
    expect(performance.now() - started).toBeLessThan(250)
  })
})

test("a class costs as much as its ranges apart, however often it names them", () => {
  expect(parseName(`[!${"b-b".repeat(1350)}a-c]`)).toEqual([{ negated: true, ranges: [[0x61, 0x63]] }])
})
