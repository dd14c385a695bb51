import { expect, test } from "bun:test"
import { edgesOf, lineNumbers } from "../../src/workdir/page-lines.ts"

test("a page says where it and the next one begin, so that neither is looked for again", () => {
  const edges = (first: number, lines: number, has_more: boolean) => edgesOf(lineNumbers(first, { lines, endsLine: true, has_more }), { start_byte: 40, next_start_byte: has_more ? 60 : null })
  expect(edges(1, 2, true)).toEqual([{ line: 3, offset: 60 }])
  expect(edges(3, 2, true)).toEqual([{ line: 3, offset: 40 }, { line: 5, offset: 60 }])
  expect(edges(5, 1, false)).toEqual([{ line: 5, offset: 40 }])
})
