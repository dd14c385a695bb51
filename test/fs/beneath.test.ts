/** openat2 and the walk that stands in for it must say the same. */
import { describe, expect, test } from "bun:test"
import { openBeneath, openEntry, walkBeneath } from "../../src/fs/beneath.ts"
import { E } from "../../src/fs/errno.ts"
import { Fd } from "../../src/fs/fd.ts"
import { AT, O } from "../../src/fs/flags.ts"
import { openat } from "../../src/fs/libc.unsafe.ts"
import { scratch } from "../helpers/scratch.ts"

const errno = (status: number): number => {
  if (status < 0) return -status
  Fd.own(status)[Symbol.dispose]()
  return 0
}

/** Names from the root, what opening them as a directory comes to. */
const CASES: readonly (readonly [string, readonly string[], readonly number[]])[] = [
  ["a directory", ["a"], [0]],
  ["one further down", ["a", "b"], [0]],
  ["nothing", ["none"], [E.ENOENT]],
  ["something below nothing", ["none", "x"], [E.ENOENT]],
  ["a file", ["f"], [E.ENOTDIR]],
  ["something below a file", ["f", "x"], [E.ENOTDIR]],
  ["a link inside", ["l"], [E.ELOOP, E.ENOTDIR]],
  ["something below a link inside", ["l", "b"], [E.ELOOP, E.ENOTDIR]],
  ["a link outside", ["out"], [E.ELOOP, E.ENOTDIR]],
  ["something below a link outside", ["out", "x"], [E.ELOOP, E.ENOTDIR]],
]

describe("openBeneath", () => {
  test.each(CASES)("%s, as the walk by component", (_, names, expected) => {
    using dir = scratch({ "root/a/b": null, "root/f": "", "root/l": { link: "a" }, "root/out": { link: ".." }, x: null })
    using root = Fd.own(openat(AT.FDCWD, dir.at("root"), O.RDONLY | O.DIRECTORY))
    for (const mounts of ["cross", "stay"] as const) {
      expect(expected).toContain(errno(openBeneath(root, names, O.RDONLY | O.DIRECTORY, mounts)))
      expect(expected).toContain(errno(walkBeneath(root, names, O.RDONLY | O.DIRECTORY, mounts)))
      if (names.length === 1) expect(expected).toContain(errno(openEntry(root, names[0] ?? "", O.RDONLY | O.DIRECTORY, mounts)))
    }
  })

  test("no name is the directory itself, and a path too long for one call is walked", () => {
    using dir = scratch()
    using root = Fd.own(openat(AT.FDCWD, dir.path, O.RDONLY | O.DIRECTORY))
    expect(errno(openBeneath(root, [], O.RDONLY | O.DIRECTORY))).toBe(0)
    const name = "n".repeat(255)
    expect(errno(openBeneath(root, Array.from({ length: 20 }, () => name), O.RDONLY | O.DIRECTORY))).toBe(E.ENOENT)
  })
})
