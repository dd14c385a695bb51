import { describe, expect, test } from "bun:test"
import { readFileSync, renameSync, rmdirSync, symlinkSync } from "node:fs"
import { openRegular, readAt } from "../../src/fs/file.ts"
import { Root } from "../../src/fs/root.ts"
import { Policy } from "../../src/workdir/policy.ts"
import { parsePath } from "../../src/workdir/relpath.ts"
import { codeOf, STRICT } from "../helpers/in-lane.ts"
import { type Planted, scratch } from "../helpers/scratch.ts"

const admit = (path: string) => new Policy(STRICT).admit(parsePath(path))

function readThrough(root: Root, path: string): string {
  using entry = root.entry(admit(path))
  using file = openRegular(entry, path)
  const bytes = new Uint8Array(64)
  return Buffer.from(bytes.subarray(0, readAt(file.fd, bytes, 0, path))).toString()
}

/** Layouts in which a plain open would leave the root (escapes: true) or stay in it. */
const LAYOUTS: readonly (readonly [string, Record<string, Planted>, path: string, code: string, escapes: boolean])[] = [
  ["a link to a file outside", { "root/l": { link: "../secret" } }, "l", "SYMLINK_NOT_ALLOWED", true],
  ["an absolute link", { "root/l": { link: "/etc/passwd" } }, "l", "SYMLINK_NOT_ALLOWED", true],
  ["a link as a parent", { "root/d": { link: ".." } }, "d/secret", "SYMLINK_NOT_ALLOWED", true],
  ["a link deep in the path", { "root/a/b/d": { link: "../../.." } }, "a/b/d/secret", "SYMLINK_NOT_ALLOWED", true],
  ["a link to a link", { "root/l": { link: "m" }, "root/m": { link: "../secret" } }, "l", "SYMLINK_NOT_ALLOWED", true],
  ["a link that stays inside", { "root/in": "x", "root/l": { link: "in" } }, "l", "SYMLINK_NOT_ALLOWED", false],
  ["a dangling link", { "root/l": { link: "nowhere" } }, "l", "SYMLINK_NOT_ALLOWED", false],
  ["a file as a parent", { "root/f": "x" }, "f/g", "NOT_A_DIRECTORY", false],
  ["a directory as the file", { "root/d": null }, "d", "NOT_A_FILE", false],
  ["a FIFO", { "root/p": { fifo: true } }, "p", "UNSUPPORTED_FILE_TYPE", false],
  ["nothing there", { "root/d": null }, "d/none", "PATH_NOT_FOUND", false],
  ["a missing parent", { "root/d": null }, "none/x", "PATH_NOT_FOUND", false],
]

describe("Root", () => {
  test.each(LAYOUTS)("stops at %s", async (_, tree, path, code, escapes) => {
    using dir = scratch({ root: null, secret: "outside", ...tree })
    using root = Root.open(dir.at("root"))
    if (escapes) expect(readFileSync(dir.at("root", path), "utf8")).toMatch(/outside|root:/)
    expect(await codeOf(() => readThrough(root, path))).toBe(code)
  })

  test.each([
    ["a/l/b/c", "SYMLINK_NOT_ALLOWED: 'a/l/b/c': 'l' is a symbolic link; links are not followed. To mend it: give a path that has no link in it"],
    ["./a//l/", "SYMLINK_NOT_ALLOWED: './a//l/': 'l' is a symbolic link"],
    ["a/f/b/c", "NOT_A_DIRECTORY: 'a/f/b/c': 'f' is not a directory, and one is needed"],
    ["a/p", "NOT_A_DIRECTORY: 'a/p': 'p' is not a directory, and one is needed"],
  ])("names what is in the way of %s, and nothing that the caller did not", (path, message) => {
    using dir = scratch({ "root/a/real/b": "", "root/a/l": { link: "real" }, "root/a/f": "", "root/a/p": { fifo: true } })
    using root = Root.open(dir.at("root"))
    expect(() => root.directory(admit(path))).toThrow(message)
    expect(() => root.directory(admit(path))).toThrow(expect.not.stringContaining("real"))
  })

  test("keeps to the directory it opened when the path is swapped for a link", () => {
    using dir = scratch({ "root/a": "inside", "other/a": "outside" })
    using root = Root.open(dir.at("root"))
    renameSync(dir.at("root"), dir.at("moved"))
    symlinkSync("other", dir.at("root"))
    expect(readFileSync(dir.at("root", "a"), "utf8")).toBe("outside")
    expect(readThrough(root, "a")).toBe("inside")
  })

  test("says WORKDIR_UNAVAILABLE once its directory has been removed", async () => {
    using dir = scratch({ root: null })
    using root = Root.open(dir.at("root"))
    rmdirSync(dir.at("root"))
    expect(await codeOf(() => root.directory(admit("a")))).toBe("WORKDIR_UNAVAILABLE")
    expect(await codeOf(() => root.directory(admit("")))).toBe("WORKDIR_UNAVAILABLE")
    expect(await codeOf(() => Root.open(dir.at("root")))).toBe("WORKDIR_UNAVAILABLE")
  })
})
