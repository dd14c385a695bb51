import { expect, test } from "bun:test"
import { startProduct } from "../../../helpers/product.ts"
import { scratch } from "../../../helpers/scratch.ts"
import { asking } from "../../../hostile/calls.ts"

test("pages by bytes and from the end have line numbers where an earlier page came by, and true ones alone", async () => {
  const lines = Array.from({ length: 100 }, (_, i) => `${i + 1}\n`)
  using dir = scratch({ "w/a.txt": lines.join(""), "w/b.txt": "one\ntwo" })
  await using product = await startProduct({ workdirs: { w: [dir.at("w"), "rw"] }, stateDir: dir.at("state") })
  const ask = asking(product)
  const numbers = async (path: string, from: object) => {
    const { value: { start_line, end_line, next_start_line } } = await ask("read_text_file", { workdir: "w", path, ...from })
    return [start_line, end_line, next_start_line]
  }
  const start = lines.slice(0, 10).join("").length
  expect(await numbers("a.txt", { start_byte: start, max_lines: 3 })).toEqual([null, null, null])
  expect(await numbers("a.txt", { max_lines: 10 })).toEqual([1, 10, 11])
  expect(await numbers("a.txt", { start_byte: start, max_lines: 3 })).toEqual([11, 13, 14])
  // What that page taught.
  const next = lines.slice(0, 13).join("").length
  expect(await numbers("a.txt", { start_byte: next, max_lines: 500 })).toEqual([14, 100, null])
  expect(await numbers("a.txt", { start_byte: next + 1, max_lines: 1 })).toEqual([null, null, null])
  expect(await numbers("a.txt", { tail_lines: 87 })).toEqual([14, 100, null])
  expect(await numbers("a.txt", { tail_lines: 86 })).toEqual([null, null, null])
  expect(await numbers("b.txt", { tail_lines: 9 })).toEqual([1, 2, null])
  expect(await numbers("b.txt", { start_byte: 0, max_lines: 1 })).toEqual([1, 1, 2])
})

test("a window that ends within a line has no next line, and the line it ends in as its last", async () => {
  using dir = scratch({ "w/a.txt": `one\n${"x".repeat(5000)}\nthree\n` })
  await using product = await startProduct({ workdirs: { w: [dir.at("w"), "rw"] }, stateDir: dir.at("state"), env: { SERVERFS_MAX_READ_BYTES: "1024" } })
  const { value } = await asking(product)("read_text_file", { workdir: "w", path: "a.txt", start_byte: 0 })
  expect(value).toMatchObject({ start_line: 1, end_line: 2, next_start_line: null, has_more: true, next_start_byte: 1024 })
})
