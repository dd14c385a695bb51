import { describe, expect, test } from "bun:test"
import { chmodSync, mkdirSync, symlinkSync } from "node:fs"
import { absolute, inspectDirectory, mendPath, whyOf } from "../../../src/config/directories/directory.ts"
import { slotsFor, World } from "../world.ts"

const inspected = (directory: string) => inspectDirectory(directory, "X", { cwd: "/", home: null })

describe("inspectDirectory()", () => {
  test.each([
    ["an ordinary directory", ["a", "b"], "none"],
    ["an empty one", [], "none"],
    ["a placeholder", [".serverfs-disabled"], "alone"],
    ["the marker and one more", [".serverfs-disabled", "a"], "beside others"],
    ["the marker and many more", [".serverfs-disabled", "0", "z"], "beside others"],
  ] as const)("%s", (_what, names, sentinel) => {
    using world = new World()
    expect(inspected(world.dir("d", names))).toEqual({ kind: "directory", real: world.at("d"), sentinel })
  })

  test("the marker counts whatever it is", () => {
    using world = new World()
    mkdirSync(world.at("d/.serverfs-disabled"), { recursive: true })
    world.dir("e")
    symlinkSync("nowhere", world.at("e/.serverfs-disabled"))
    expect([inspected(world.at("d")), inspected(world.at("e"))].map((look) => look.kind === "directory" && look.sentinel)).toEqual(["alone", "alone"])
  })

  test("tells of the path and what names it before it is looked at", () => {
    const told: string[] = []
    inspectDirectory("/none", "X", { cwd: "/", home: null, watch: (by, path) => told.push(`${by} ${path}`) })
    expect(told).toEqual(["X /none"])
  })

  test("tells absent from unusable", () => {
    using world = new World()
    world.file("plain")
    symlinkSync("loop", world.at("loop"))
    expect(["none", "plain/below", "plain", "loop"].map((name) => inspected(world.at(name)).kind)).toEqual(["absent", "absent", "unusable", "unusable"])
  })
})

describe("absolute()", () => {
  test.each([["a", "/cwd/a"], ["/a/../b/", "/b"], ["~", "/home/me"], ["~/a", "/home/me/a"], ["~you/a", "/cwd/~you/a"], ["./~", "/cwd/~"]])("%s is %s", (text, path) => {
    expect(absolute(text, { cwd: "/cwd", home: "/home/me" })).toBe(path)
  })

  test("without a home, ~ stands for itself", () => {
    expect(absolute("~/a", { cwd: "/cwd", home: null })).toBe("/cwd/~/a")
  })
})

describe("whyOf()", () => {
  test.each([["ENOENT", "does not exist"], ["EACCES", "cannot be read by this process"], ["EIO", "cannot be used (EIO)"]])("says %s in words", (code, why) => {
    expect(whyOf(Object.assign(new Error("x"), { code }))).toBe(why)
  })

  test("a directory that cannot be entered is unusable to an ordinary user", () => {
    using world = new World()
    chmodSync(world.dir("shut"), 0o000)
    const ordinary = process.getuid?.() !== 0
    expect(world.faults(slotsFor({ shut: world.at("shut") })).length > 0).toBe(ordinary)
    chmodSync(world.at("shut"), 0o700)
  })
})

describe("mendPath()", () => {
  test("says how access is asked for, of a path that ends as if it could", () => {
    for (const path of ["/x", "/x:rwx", "/ro", "/x:r"]) expect(mendPath(path, "HOW")).toBe("give a directory that this process can list")
    for (const path of ["/x:ro", "/x:rw"]) expect(mendPath(path, "HOW")).toBe(`leave the ${path.slice(2)} out of the path: HOW`)
  })

  test("asks for the path where there is nothing but how access is asked for", () => {
    for (const mode of [":ro", ":rw"]) expect(mendPath(`/x/${mode}`, "HOW")).toBe(`give the path of a directory, without the ${mode}: HOW`)
  })
})
