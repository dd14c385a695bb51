import { describe, expect, test } from "bun:test"
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { Fd } from "../../../src/fs/fd.ts"
import { fstat } from "../../../src/fs/file.ts"
import { AT, O } from "../../../src/fs/flags.ts"
import { openat } from "../../../src/fs/libc.unsafe.ts"
import { copyMetadata } from "../../../src/fs/publish/metadata.ts"
import { asNobody } from "../../helpers/as-nobody.ts"
import { codeOf } from "../../helpers/in-lane.ts"
import { edit, mutating } from "../../helpers/mutate.ts"
import { type Scratch, scratch } from "../../helpers/scratch.ts"
import { acl, setXattr, xattrsOf } from "../../helpers/xattrs.ts"

const NOBODY = 65_534
const STRANGE_GROUP = 54_321
const isRoot = process.geteuid?.() === 0
const hasAttributes = (() => {
  using dir = scratch({ f: "" })
  return setXattr(dir.at("f"), "user.test", "x") === 0 && setXattr(dir.path, "system.posix_acl_default", acl(["userObj", 7], ["groupObj", 5], ["other", 5])) === 0
})()

function copy(dir: Scratch, from = "from", to = "to"): void {
  using source = Fd.own(openat(AT.FDCWD, dir.at(from), O.RDONLY))
  using target = Fd.own(openat(AT.FDCWD, dir.at(to), O.WRONLY))
  copyMetadata(source, fstat(source, from), target, from)
}

describe("copyMetadata()", () => {
  test.each([0o600, 0o644, 0o4755, 0o2755, 0o6711, 0o1777, 0])("gives mode %o", (mode) => {
    using dir = scratch({ from: "", to: "" })
    const open = Fd.own(openat(AT.FDCWD, dir.at("from"), O.RDONLY))
    chmodSync(dir.at("from"), mode)
    using source = open
    using target = Fd.own(openat(AT.FDCWD, dir.at("to"), O.WRONLY))
    copyMetadata(source, fstat(source, "from"), target, "from")
    expect(statSync(dir.at("to")).mode & 0o7777).toBe(mode)
  })
})

// What follows needs the right to give files away: it runs where the tests run as root, as CI does.
if (isRoot) {
  describe("copyMetadata() as root", () => {
    test("gives owner and group, and setuid survives the change of owner", () => {
      using dir = scratch({ from: "", to: "" })
      chownSync(dir.at("from"), NOBODY, STRANGE_GROUP)
      chmodSync(dir.at("from"), 0o6755)
      copy(dir)
      const { uid, gid, mode } = statSync(dir.at("to"))
      expect([uid, gid, mode & 0o7777]).toEqual([NOBODY, STRANGE_GROUP, 0o6755])
    })
  })

  describe("editTextFile() as an ordinary user", () => {
    /** A directory that anybody may write, with a file of the user's own in a group that is not the user's. */
    function foreignGroup(dir: Scratch, dirMode: number, fileMode: number): void {
      mkdirSync(dir.at("d"))
      chownSync(dir.at("d"), 0, STRANGE_GROUP)
      chmodSync(dir.at("d"), dirMode)
      writeFileSync(dir.at("d/f"), "one")
      chownSync(dir.at("d/f"), NOBODY, STRANGE_GROUP)
      chmodSync(dir.at("d/f"), fileMode)
    }

    async function editAsNobody(dir: Scratch, path: string): Promise<string> {
      using _ = asNobody(dir.path)
      return await codeOf(mutating(dir.path).edit(path, [edit("one", "two")]))
    }

    test("refuses to lose setgid, which fchmod(2) drops without a word: METADATA_PRESERVATION_FAILED", async () => {
      using dir = scratch()
      foreignGroup(dir, 0o2777, 0o2755)
      expect(await editAsNobody(dir, "d/f")).toBe("METADATA_PRESERVATION_FAILED")
      expect([readFileSync(dir.at("d/f"), "utf8"), statSync(dir.at("d/f")).mode & 0o7777]).toEqual(["one", 0o2755])
      expect(readdirSync(dir.at("d"))).toEqual(["f"])
    })

    test("refuses a group that it cannot give: METADATA_PRESERVATION_FAILED", async () => {
      using dir = scratch()
      foreignGroup(dir, 0o777, 0o644)
      expect(await editAsNobody(dir, "d/f")).toBe("METADATA_PRESERVATION_FAILED")
      expect(readdirSync(dir.at("d"))).toEqual(["f"])
    })

    test("refuses an owner that it cannot give, though the file and its directory may be written", async () => {
      using dir = scratch({ "d/f": "one" })
      chmodSync(dir.at("d"), 0o777)
      chmodSync(dir.at("d/f"), 0o666)
      expect(await editAsNobody(dir, "d/f")).toBe("METADATA_PRESERVATION_FAILED")
      expect(readFileSync(dir.at("d/f"), "utf8")).toBe("one")
    })
  })
}

if (hasAttributes) {
  describe("copyXattrs()", () => {
    test("sets what is missing, corrects what differs, removes what the original has not", () => {
      using dir = scratch({ from: "", to: "" })
      for (const [file, name, value] of [["from", "user.a", "1"], ["from", "user.b", ""], ["from", "user.c", "same"], ["to", "user.a", "2"], ["to", "user.c", "same"], ["to", "user.d", "4"]] as const) {
        expect(setXattr(dir.at(file), name, value)).toBe(0)
      }
      copy(dir)
      expect(xattrsOf(dir.at("to"))).toEqual(xattrsOf(dir.at("from")))
      expect(xattrsOf(dir.at("to")).map(([name]) => name)).toEqual(["user.a", "user.b", "user.c"])
    })

    test("keeps an ACL, its mask and the mode", () => {
      using dir = scratch({ from: "", to: "" })
      expect(setXattr(dir.at("from"), "system.posix_acl_access", acl(["userObj", 6], ["user", 6, 1234], ["groupObj", 4], ["mask", 6], ["other", 0]))).toBe(0)
      copy(dir)
      expect(xattrsOf(dir.at("to"))).toEqual(xattrsOf(dir.at("from")))
      expect(statSync(dir.at("to")).mode & 0o7777).toBe(0o660)
    })
  })

  describe("a default ACL of the directory", () => {
    const DEFAULT = acl(["userObj", 7], ["user", 6, 1234], ["groupObj", 5], ["mask", 7], ["other", 0])

    test("is not put on a file that had none, by an edit", async () => {
      using dir = scratch({ "a.txt": "one" })
      chmodSync(dir.at("a.txt"), 0o644)
      expect(setXattr(dir.path, "system.posix_acl_default", DEFAULT)).toBe(0)
      await mutating(dir.path).edit("a.txt", [edit("one", "two")])
      expect(xattrsOf(dir.at("a.txt"))).toEqual([])
      expect(statSync(dir.at("a.txt")).mode & 0o7777).toBe(0o644)
    })

    test("acts on a created file as on any new file", async () => {
      using dir = scratch()
      expect(setXattr(dir.path, "system.posix_acl_default", DEFAULT)).toBe(0)
      writeFileSync(dir.at("plain"), "x")
      await mutating(dir.path).create("made")
      await mutating(dir.path).createDirectory("d")
      expect(xattrsOf(dir.at("made"))).toEqual(xattrsOf(dir.at("plain")))
      expect(statSync(dir.at("made")).mode).toBe(statSync(dir.at("plain")).mode)
      expect(xattrsOf(dir.at("d")).map(([name]) => name)).toEqual(["system.posix_acl_access", "system.posix_acl_default"])
    })
  })
}
