import { describe, expect, test } from "bun:test"
import { mimeType } from "../../src/workdir/mime.ts"

describe("mimeType()", () => {
  test.each([
    ["a.txt", "text/plain"],
    ["A.TXT", "text/plain"],
    ["a.tar.gz", "application/gzip"],
    ["Makefile", "text/x-makefile"],
    [".txt", "application/octet-stream"],
    ["none", "application/octet-stream"],
  ])("is by name: %s", (name, type) => {
    expect(mimeType(name)).toBe(type)
  })

  test.each(["constructor", "toString", "__proto__", "a.constructor", "a.__proto__"])("of a name that every object has is the default: %s", (name) => {
    expect(mimeType(name)).toBe("application/octet-stream")
  })
})
