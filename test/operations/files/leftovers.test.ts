/** What a kill or a refusal halfway could leave behind, under names that nobody sees. */
import { describe, expect, test } from "bun:test"
import { chmodSync, chownSync, existsSync, linkSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { asNobody } from "../../helpers/as-nobody.ts"
import { type Scratch, scratch } from "../../helpers/scratch.ts"
import { filesIn, outcome } from "./driver.ts"

const TWIN = ".serverfs-tmp-00000000000000000000000000000000"

/** As a kill between link and unlink of a create leaves it. */
function withTwin(): Scratch {
  const dir = scratch({ "a/f": "old", to: null })
  linkSync(dir.at("a/f"), dir.at("a", TWIN))
  return dir
}

describe("the second name that a kill left", () => {
  test("goes with the file that delete_file removes", async () => {
    using dir = withTwin()
    expect(await outcome(filesIn(dir.path).remove("a/f"))).toBe("ok")
    expect(readdirSync(dir.at("a"))).toEqual([])
  })

  test("goes when the file is moved, which can be updated where it is then", async () => {
    using dir = withTwin()
    expect(await outcome(filesIn(dir.path).move("a/f", "to/f"))).toBe("ok")
    expect([readdirSync(dir.at("a")), statSync(dir.at("to/f")).nlink]).toEqual([[], 1])
    expect(await outcome(filesIn(dir.path).update("to/f", "new"))).toBe("ok")
    expect(readFileSync(dir.at("to/f"), "utf8")).toBe("new")
  })

  test("is not confused with a name that somebody else gave the file", async () => {
    using dir = withTwin()
    linkSync(dir.at("a/f"), dir.at("other"))
    expect(await outcome(filesIn(dir.path).move("a/f", "to/f"))).toBe("ok")
    expect([statSync(dir.at("to/f")).nlink, readFileSync(dir.at("other"), "utf8")]).toEqual([2, "old"])
  })
})

describe("a copy that is refused halfway", () => {
  test("leaves nothing, directories that are closed to writing included", async () => {
    using dir = scratch({ "src/a/f": "x", "src/b/f": "x", "src/z": { fifo: true }, to: null })
    for (const name of ["src/a", "src/b"]) chmodSync(dir.at(name), 0o555)
    chmodSync(dir.at("to"), 0o777)
    {
      using _ = asNobody(dir.path)
      expect(await outcome(filesIn(dir.path).copy("src", "to/copy"))).toBe("UNSUPPORTED_FILE_TYPE")
    }
    expect(readdirSync(dir.at("to"))).toEqual([])
  })
})

describe("a recursive delete under deny rules", () => {
  test("stops at a denied name that came into the tree after it was looked through, with DENIED_PATH", async () => {
    using dir = scratch({ "t/a/f": "x", "t/b": null, "aside/secret": "kept" })
    const files = filesIn(dir.path, { deny: ["secret"], watch: ({ kind }) => { if (kind === "want" && existsSync(dir.at("aside"))) renameSync(dir.at("aside"), dir.at("t/b/aside")) } })
    expect(await outcome(files.remove("t", true))).toBe("DENIED_PATH")
    expect(readFileSync(dir.at("t/b/aside/secret"), "utf8")).toBe("kept")
  })

  test("removes nothing when it cannot look into a directory, with ACCESS_DENIED", async () => {
    using dir = scratch({ "t/a": "x", "t/b/c": null })
    chmodSync(dir.at("t/b"), 0o300)
    chmodSync(dir.at("t"), 0o777)
    if (process.geteuid?.() === 0) chownSync(dir.at("t/b"), 65_534, 65_534)
    {
      using _ = asNobody(dir.path)
      expect(await outcome(filesIn(dir.path, { deny: ["secret"] }).remove("t", true))).toBe("ACCESS_DENIED")
    }
    expect(readdirSync(dir.at("t")).sort()).toEqual(["a", "b"])
  })
})
