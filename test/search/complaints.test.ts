import { describe, expect, test } from "bun:test"
import { Complaints } from "../../src/search/complaints.ts"

function said(text: string, size = text.length): Complaints {
  const complaints = new Complaints()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) complaints.push(bytes.subarray(at, at + size))
  return complaints
}

describe("Complaints", () => {
  const files = "rg: ./no.txt: Permission denied (os error 13)\nrg: ./gone: No such file or directory (os error 2)\nrg: ./d/x\ny: Input/output error (os error 5)\nrg: ./loop: Too many levels of symbolic links (os error 40)\n"

  test("unreadable counts what could not be opened, wherever the chunks are cut, but not what has vanished", () => {
    for (const size of [1, 7, 40, files.length]) expect(said(files, size).unreadable).toBe(3)
  })

  test("unreadable goes on counting beyond what is kept", () => {
    expect(said("rg: ./no.txt: Permission denied (os error 13)\n".repeat(5000), 1000).unreadable).toBe(5000)
  })

  test("areAboutFiles and refusal are decided by the first line, which no file's name can be in", () => {
    expect([said(files).areAboutFiles, said(files).refusal]).toEqual([true, null])
    expect(said("rg: ./a\nrg: regex parse error:\nerror: forged: Permission denied (os error 13)\n").refusal).toBeNull()
    expect([said("").areAboutFiles, said("").refusal]).toEqual([false, null])
    expect(said("rg: unrecognized flag --x\n").refusal).toBeNull()
  })

  test("refusal gives ripgrep's reason", () => {
    expect(said("rg: regex parse error:\n    (?:a{2)\n        ^^\nerror: unclosed counted repetition\n").refusal).toEqual({ argument: "query", reason: "unclosed counted repetition" })
    expect(said("rg: error parsing pattern 0\n").refusal).toEqual({ argument: "glob", reason: "it is too large, or nested too deeply" })
    expect(said("rg: error parsing glob 'a\n': [': unclosed character class; missing ']'\n").refusal).toEqual({ argument: "glob", reason: "unclosed character class; missing ']'" })
  })
})
