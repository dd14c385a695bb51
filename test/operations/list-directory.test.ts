import { describe, expect, test } from "bun:test"
import { chmodSync, writeFileSync } from "node:fs"
import { listDirectory } from "../../src/operations/list-directory.ts"
import { asNobody } from "../helpers/as-nobody.ts"
import { codeOf, inLane, settingsOf } from "../helpers/in-lane.ts"
import { scratch } from "../helpers/scratch.ts"

describe("listDirectory()", () => {
  test("counts names that are not UTF-8 and leaves them out", async () => {
    using dir = scratch({ "a.txt": "" })
    writeFileSync(Buffer.concat([Buffer.from(`${dir.path}/`), Buffer.from([0x66, 0xff])]), "")
    const page = await inLane(settingsOf(dir.path), listDirectory, { path: "", offset: 0, limit: 10 })
    expect([page.entries.map(({ name }) => name), page.undecodable]).toEqual([["a.txt"], 1])
  })

  test("a directory that may be read and not entered is ACCESS_DENIED, not empty", async () => {
    using dir = scratch({ "sub/a.txt": "" })
    chmodSync(dir.at("sub"), 0o444)
    using _ = asNobody(dir.path)
    expect(await codeOf(inLane(settingsOf(dir.path), listDirectory, { path: "sub", offset: 0, limit: 10 }))).toBe("ACCESS_DENIED")
  })

  test("pages through 60,000 names in code-point order, each exactly once", async () => {
    using dir = scratch()
    const names = Array.from({ length: 60_000 }, (_, i) => `f${(i * 7919) % 60_000}`)
    for (const name of names) writeFileSync(dir.at(name), "")
    const seen: string[] = []
    for (const offset of [0, 29_999, 59_000, 59_990]) {
      const page = await inLane(settingsOf(dir.path), listDirectory, { path: "", offset, limit: 50 })
      const expected = [...names].sort().slice(offset, offset + 50)
      expect(page.entries.map(({ name }) => name)).toEqual(expected)
      expect(page.has_more).toBe(offset + 50 < 60_000)
      seen.push(...expected)
    }
    expect(new Set(seen).size).toBe(160)
  })
})
