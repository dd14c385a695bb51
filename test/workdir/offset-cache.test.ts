import { describe, expect, test } from "bun:test"
import { OffsetCache } from "../../src/workdir/offset-cache.ts"

const at = (line: number) => ({ line, offset: line * 10 })

describe("OffsetCache", () => {
  test("gives the nearest start at or before a line", () => {
    const cache = new OffsetCache()
    cache.learn("a", "r1", [at(10), at(20), at(30)])
    expect(cache.nearest("a", 9)).toBeNull()
    expect(cache.nearest("a", 10)?.checkpoint).toEqual(at(10))
    expect(cache.nearest("a", 29)?.checkpoint).toEqual(at(20))
    expect(cache.nearest("a", 1000)?.checkpoint).toEqual(at(30))
    expect(cache.nearest("b", 1000)).toBeNull()
  })

  test("knows the number of a line by where it begins, of the revision that was read", () => {
    const cache = new OffsetCache()
    cache.learn("a", "r1", [at(10), at(20), at(30)])
    expect([99, 100, 101, 200, 300, 301].map((offset) => cache.lineAt("a", "r1", offset))).toEqual([null, 10, null, 20, 30, null])
    expect([cache.lineAt("a", "r2", 100), cache.lineAt("b", "r1", 100), cache.lineAt("b", "r1", 0)]).toEqual([null, null, 1])
  })

  test("takes starts in any order, each once", () => {
    const cache = new OffsetCache()
    cache.learn("a", "r1", [at(30), at(10), at(30), at(20)])
    cache.learn("a", "r1", [at(15)])
    for (const line of [10, 15, 20, 30]) expect(cache.nearest("a", line)?.checkpoint).toEqual(at(line))
    expect(cache.nearest("a", 19)?.checkpoint).toEqual(at(15))
  })

  test("forgets everything about a file when its revision moves", () => {
    const cache = new OffsetCache()
    cache.learn("a", "r1", [at(10)])
    cache.learn("a", "r2", [at(50)])
    expect(cache.nearest("a", 20)).toBeNull()
    expect(cache.nearest("a", 60)?.revision).toBe("r2")
  })

  test("holds 256 files, the ones used last", () => {
    const cache = new OffsetCache()
    for (let i = 0; i < 256; i++) cache.learn(`f${i}`, "r", [at(10)])
    cache.nearest("f0", 10)
    cache.learn("one more", "r", [at(10)])
    expect(cache.nearest("f0", 10)).not.toBeNull()
    expect(cache.nearest("f1", 10)).toBeNull()
  })

  test("holds a bounded number of starts a file, in order", () => {
    const cache = new OffsetCache()
    cache.learn("a", "r", Array.from({ length: 20_000 }, (_, i) => at(i + 1)))
    cache.learn("a", "r", [at(5)])
    expect(cache.nearest("a", 1_000_000)?.checkpoint).toEqual(at(8192))
  })

  test("holds a bounded number of starts in all, of the files used last", () => {
    const cache = new OffsetCache()
    const many = Array.from({ length: 8192 }, (_, i) => at(i + 1))
    for (const path of ["a", "b", "c", "d", "e", "f", "g", "h"]) cache.learn(path, "r", many)
    cache.learn("b", "another", many)
    cache.nearest("a", 1)
    cache.learn("i", "r", [at(10)])
    expect(["a", "b", "c", "d", "i"].filter((path) => cache.nearest(path, 100) !== null)).toEqual(["a", "b", "d", "i"])
  })
})
