import { describe, expect, test } from "bun:test"
import { linkSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import { E } from "../../src/fs/errno.ts"
import { renameOver, renameOverLink } from "../../src/fs/rename.ts"
import { Root } from "../../src/fs/root.ts"
import { scratch } from "../helpers/scratch.ts"

describe("renameOverLink()", () => {
  test("puts a directory in the place of a link, which goes", () => {
    using dir = scratch({ "d/x": "x", l: { link: "d" } })
    using root = Root.open(dir.path)
    expect(renameOverLink({ dir: root.self, leaf: "d" }, { dir: root.self, leaf: "l" })).toBe(0)
    expect([readdirSync(dir.path), readFileSync(dir.at("l/x"), "utf8")]).toEqual([["l"], "x"])
  })

  test.each([["a file", "precious"], ["a directory", null]])("leaves both as they were when %s has come to where the link was", (_, came) => {
    using dir = scratch({ "d/x": "x", l: came })
    using root = Root.open(dir.path)
    const before = ["d", "l"].map((name) => lstatSync(dir.at(name)).ino)
    expect(renameOverLink({ dir: root.self, leaf: "d" }, { dir: root.self, leaf: "l" })).toBe(-E.EEXIST)
    expect(["d", "l"].map((name) => lstatSync(dir.at(name)).ino)).toEqual(before)
  })
})

describe("renameOver()", () => {
  test("between two names of one link leaves the new one alone, though rename(2) does nothing", () => {
    using dir = scratch({ a: { link: "x" } })
    linkSync(dir.at("a"), dir.at("b"))
    using root = Root.open(dir.path)
    expect(renameOver({ dir: root.self, leaf: "a" }, { dir: root.self, leaf: "b" })).toBe(0)
    expect([readdirSync(dir.path), readlinkSync(dir.at("b"))]).toEqual([["b"], "x"])
  })
})
