import { describe, expect, test } from "bun:test"
import { compilePath } from "../../src/workdir/path-glob.ts"

function matches(glob: string, path: string): boolean {
  const compiled = compilePath(glob)
  return compiled.accepts(path.split("/").reduce(compiled.step, compiled.start))
}

/** glob, paths that match, paths that don't. */
const TABLE: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ["src/*.ts", ["src/a.ts", "src/.ts"], ["src/deep/a.ts", "lib/src/a.ts", "a.ts", "src/a.js"]],
  ["src/**/*.ts", ["src/a.ts", "src/x/a.ts", "src/x/y/a.ts"], ["a.ts", "lib/src/a.ts", "src/x/a.js"]],
  ["**/b.ts", ["b.ts", "x/b.ts", "x/y/b.ts"], ["x/ab.ts", "b.ts/x"]],
  ["src/**", ["src/a", "src/a/b"], ["src", "a", "lib/src/a"]],
  ["**", ["a", "a/b/c"], []],
  ["a/**/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a", "b", "a/b/c"]],
  ["**/x/**/y", ["x/y", "a/x/y", "x/b/y", "a/x/x/c/y/y"], ["x", "y/x", "a/x/b"]],
  ["**/x/**", ["x/a", "a/x/b/c"], ["x", "a/x"]],
  ["*/*", ["a/b"], ["a", "a/b/c"]],
  ["**.ts", ["a.ts", "x/y/a.ts"], ["a.js"]],
  ["src/**.ts", ["src/a.ts", "src/x/a.ts"], ["a.ts", "x/src/a.ts"]],
  ["src/test**", ["src/test", "src/tests/a/b"], ["src/a/test", "src"]],
  ["src**/x", ["src/x", "srcs/x", "src/a/b/x"], ["a/src/x"]],
  ["a**b/c", ["ab/c", "axb/c"], ["a/b/c"]],
  ["/src/./a", ["src/a"], ["a"]],
  ["./a//b/", ["a/b"], ["a"]],
  ["../a", [], ["a"]],
  ["[a/b]", ["[a/b]"], ["a", "b"]],
  ["/", [], ["a"]],
]

describe("compilePath", () => {
  for (const [glob, hits, misses] of TABLE) {
    test(`compilePath() of ${JSON.stringify(glob)} matches the whole path`, () => {
      for (const path of hits) expect([path, matches(glob, path)]).toEqual([path, true])
      for (const path of misses) expect([path, matches(glob, path)]).toEqual([path, false])
    })
  }

  test("compilePath() says where nothing below can match", () => {
    const glob = compilePath("src/*/x.ts")
    const src = glob.step(glob.start, "src")
    expect(glob.leads(src)).toBe(true)
    expect(glob.leads(glob.step(glob.start, "lib"))).toBe(false)
    expect(glob.leads(glob.step(glob.step(src, "a"), "x.ts"))).toBe(false)
    expect(glob.leads(compilePath("**/x").step([0], "anything"))).toBe(true)
  })

  test("compilePath() stays fast on patterns made to backtrack", () => {
    const path = Array.from({ length: 2000 }, () => "a").join("/")
    const started = performance.now()
    expect(matches(`${"**/a/".repeat(800)}b`, path)).toBe(false)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
