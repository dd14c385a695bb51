import { expect, test } from "bun:test"
import { foldCase } from "../../src/operations/search-text/fold-case.ts"

test("foldCase() takes for one what a regular expression with iu takes for one, for every letter that has a case", () => {
  const all = Array.from({ length: 0x110000 }, (_, point) => point).filter((point) => point < 0xd800 || point > 0xdfff).map((point) => String.fromCodePoint(point))
  const cased = all.filter((char) => char.toUpperCase() !== char || char.toLowerCase() !== char)
  expect(cased.length).toBeGreaterThan(2500)
  const joined = cased.join("")
  const alike = new Map<string, string[]>()
  for (const char of cased) alike.set(foldCase(char), [...(alike.get(foldCase(char)) ?? []), char])
  for (const char of cased) expect<readonly string[] | null>(joined.match(new RegExp(RegExp.escape(char), "giu"))).toEqual(alike.get(foldCase(char)) ?? [])
})

test("foldCase() folds text as it does its letters", () => {
  expect([foldCase("Straße ΣΑΣ İI"), foldCase("ABC-xyz"), foldCase("\u{10400}\u{10428}")]).toEqual(["straße σασ İi", "abc-xyz", "\u{10428}\u{10428}"])
})
