import { describe, expect, test } from "bun:test"
import { type Proposal, RecordParser } from "../../src/search/parse.ts"

const RECORDS: readonly (readonly [string, Proposal | null])[] = [
  ["./a.txt\x001:0:[Omitted long matching line]\n", { path: "a.txt", line: 1, offset: 0 }],
  ["./d/b\nc:7:8\x0012:345:\n", { path: "d/b\nc:7:8", line: 12, offset: 345 }],
  ["././x\x009007199254740991:9007199254740991:y\n", { path: "./x", line: 9007199254740991, offset: 9007199254740991 }],
  ["./\xff\x001:0:\n", null],
  ["./é\x003:4::5:6\n", { path: "é", line: 3, offset: 4 }],
  ["./log\x001:0:\n", { path: "log", line: 1, offset: 0 }],
  ['./log: WARNING: stopped searching binary file after match (found "\\0" byte around offset 200007)\n./after\x002:9:\n', { path: "after", line: 2, offset: 9 }],
  // Nothing was found in a file `z`: this is a name.
  ['./z: WARNING: stopped searching binary file after match (found "\\0" byte around offset 1)\n\x003:4:\n', { path: 'z: WARNING: stopped searching binary file after match (found "\\0" byte around offset 1)\n', line: 3, offset: 4 }],
]

function bytesOf(text: string): Buffer {
  // The one lone byte above 0x7f stands for itself: a name that is not UTF-8.
  return text.includes("\xff") ? Buffer.from(text, "latin1") : Buffer.from(text)
}

describe("RecordParser", () => {
  const stream = Buffer.concat(RECORDS.map(([text]) => bytesOf(text)))
  const expected = RECORDS.map(([, proposal]) => proposal).filter((proposal) => proposal !== null)

  test("push() gives each record once, wherever the chunks are cut; names that are not UTF-8 are left out", () => {
    for (let size = 1; size <= stream.length; size++) {
      const parser = new RecordParser()
      const found: Proposal[] = []
      for (let at = 0; at < stream.length; at += size) found.push(...parser.push(stream.subarray(at, at + size)))
      expect(found).toEqual(expected)
    }
  })

  test("push() throws on what ripgrep does not write", () => {
    for (const bad of ["./a\x00x:0:\n", "./a\x001:y:\n", "./a\x00\n", "./a\x001\n", "./a\x001:2\n", "./a\x00:2:\n", "./a\x0099999999999999999999:2:\n"]) {
      expect(() => new RecordParser().push(Buffer.from(bad))).toThrow("unknown form")
    }
  })

  test("push() does not collect a record that never ends", () => {
    const parser = new RecordParser()
    parser.push(Buffer.alloc(60_000, "a"))
    expect(() => parser.push(Buffer.alloc(60_000, "a"))).toThrow("endless")
  })
})
