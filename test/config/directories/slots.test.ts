import { describe, expect, test } from "bun:test"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { slotsFor, World } from "../world.ts"

const OFF = ".serverfs-disabled"

/** A container layout with these names in each slot's directory. */
function layout(world: World, slots: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  world.dir("layout")
  for (const [slot, names] of Object.entries(slots)) {
    mkdirSync(world.at("layout", slot))
    for (const name of names) writeFileSync(world.at("layout", slot, name), "")
  }
  return { SERVERFS_WORKDIRS_ROOT: world.at("layout") }
}

function access(world: World, env: Record<string, string>): string[] {
  return world.config(env).workdirs.map(({ alias, readOnly }) => `${alias}:${readOnly ? "ro" : "rw"}`)
}

describe("slots in the container layout", () => {
  test("aliases bind their directories, placeholders and absent slots are off", () => {
    using world = new World()
    const env = { ...layout(world, { "01": ["a.txt"], "02": [OFF], "03": [] }), WORKDIR_01_ALIAS: "first", WORKDIR_03_ALIAS: "third", WORKDIR_03_READ_ONLY: "false" }
    expect(access(world, env)).toEqual(["first:ro", "third:rw"])
    expect(world.config(env).workdirs.map(({ root }) => root)).toEqual([world.at("layout/01"), world.at("layout/03")])
  })

  test("no alias at all is zero workdirs, and not the current directory", () => {
    using world = new World()
    const { workdirs, zeroConfig } = world.config(layout(world, { "01": [OFF] }))
    expect({ workdirs, zeroConfig }).toEqual({ workdirs: [], zeroConfig: false })
  })

  const CASES: readonly (readonly [string, Readonly<Record<string, readonly string[]>>, Readonly<Record<string, string>>, readonly string[]])[] = [
    ["the sentinel beside other entries", { "01": [OFF, "x"] }, { WORKDIR_01_ALIAS: "a" }, ["WORKDIR_01_PATH: reserved"]],
    ["the sentinel beside other entries, without alias", { "01": [OFF, "x"] }, {}, ["WORKDIR_01_PATH: reserved"]],
    ["a directory without alias", { "01": ["x"] }, {}, ["WORKDIR_01_ALIAS: alias is empty"]],
    ["an empty directory without alias", { "16": [] }, {}, ["WORKDIR_16_ALIAS: alias is empty"]],
    ["READ_ONLY=false on a placeholder", { "01": [OFF] }, { WORKDIR_01_READ_ONLY: "false" }, ["WORKDIR_01_READ_ONLY: disabled slot"]],
    ["READ_ONLY=false on an absent slot", { "01": [OFF] }, { WORKDIR_02_READ_ONLY: "false" }, ["WORKDIR_02_READ_ONLY: disabled slot"]],
    ["an alias on a placeholder", { "01": [OFF] }, { WORKDIR_01_ALIAS: "a" }, ["WORKDIR_01_ALIAS: disabled (no path bound)"]],
    ["an alias and READ_ONLY=false on a placeholder", { "01": [OFF] }, { WORKDIR_01_ALIAS: "a", WORKDIR_01_READ_ONLY: "false" },
      ["WORKDIR_01_READ_ONLY: disabled slot", "WORKDIR_01_ALIAS: disabled (no path bound)"]],
    ["READ_ONLY unparsable on a placeholder", { "01": [OFF] }, { WORKDIR_01_READ_ONLY: "ture" }, ["WORKDIR_01_READ_ONLY: not accepted"]],
    ["an override unparsable on a placeholder", { "01": [OFF] }, { WORKDIR_01_ALLOW_HIDDEN: "ture" }, ["WORKDIR_01_ALLOW_HIDDEN: not accepted"]],
    ["an alias without its directory", { "01": [OFF] }, { WORKDIR_02_ALIAS: "b" }, ["WORKDIR_02_PATH: does not exist"]],
    ["an invalid alias on a directory", { "01": [] }, { WORKDIR_01_ALIAS: "1" }, ["WORKDIR_01_ALIAS: not valid"]],
  ]

  test.each(CASES)("%s", (_what, slots, env, expected) => {
    using world = new World()
    const faults = world.faults({ ...layout(world, slots), ...env })
    expect(faults).toHaveLength(expected.length)
    for (const [i, each] of expected.entries()) {
      const [variable = "", words = ""] = each.split(": ")
      expect(faults[i]).toStartWith(`${variable}: `)
      expect(faults[i]).toContain(words)
    }
  })

  test("a PATH goes before the layout's directory", () => {
    using world = new World()
    const env = { ...layout(world, { "01": [OFF] }), ...slotsFor({ a: world.dir("a") }) }
    expect(world.config(env).workdirs.map(({ root }) => root)).toEqual([world.at("a")])
  })

  test("a layout that is no directory is a fault", () => {
    using world = new World()
    expect(world.faults({ SERVERFS_WORKDIRS_ROOT: world.file("plain") }).join()).toContain("SERVERFS_WORKDIRS_ROOT: ")
  })
})

describe("slots with a PATH", () => {
  test("sixteen of them, in slot order, with what each was given", () => {
    using world = new World()
    const roots = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`w${i + 1}`, world.dir(`w${i + 1}`)]))
    const { workdirs } = world.config({ ...slotsFor(roots), WORKDIR_02_DESCRIPTION: "the second", WORKDIR_03_DESCRIPTION: "" })
    expect(workdirs.map(({ alias, root }) => [alias, root])).toEqual(Object.entries(roots))
    expect(workdirs.slice(1, 3).map(({ description }) => description)).toEqual(["the second", null])
  })

  test("READ_ONLY is true unless it is plainly false", () => {
    using world = new World()
    const spellings = ["TRUE", "1", "Yes", "ON", "", undefined, "False", "0", "no", "OFF"]
    const roots = Object.fromEntries(spellings.map((_, i) => [`w${i}`, world.dir(`w${i}`)]))
    const given = spellings.flatMap((value, i) => (value === undefined ? [] : [[`WORKDIR_${String(i + 1).padStart(2, "0")}_READ_ONLY`, value]]))
    expect(access(world, { ...slotsFor(roots), ...Object.fromEntries(given) })).toEqual([0, 1, 2, 3, 4, 5].map((i) => `w${i}:ro`).concat([6, 7, 8, 9].map((i) => `w${i}:rw`)))
  })

  test.each(["maybe", "2", "tru", "rw", "enable"])("READ_ONLY=%s is a fault", (value) => {
    using world = new World()
    expect(world.faults({ ...slotsFor({ a: world.dir("a") }), WORKDIR_01_READ_ONLY: value }).join()).toStartWith("WORKDIR_01_READ_ONLY: ")
  })

  test.each(["/foo", "../foo", "foo bar", "123project", "a".repeat(33), "中文"])("the alias %s is a fault", (alias) => {
    using world = new World()
    expect(world.faults(slotsFor({ [alias]: world.dir("a") })).join()).toStartWith("WORKDIR_01_ALIAS: ")
  })

  test("a duplicate alias names both slots; another case of it is another alias", () => {
    using world = new World()
    const env = slotsFor({ a: world.dir("a"), b: world.dir("b") })
    expect(world.faults({ ...env, WORKDIR_02_ALIAS: "a" })).toEqual(['WORKDIR_02_ALIAS: the alias "a" is taken by WORKDIR_01_ALIAS; choose another'])
    expect(access(world, { ...env, WORKDIR_02_ALIAS: "A" })).toEqual(["a:ro", "A:ro"])
  })

  test.each(["absent", "plain", "plain/below", "dangling", "loop"])("a PATH that is %s is a fault", (name) => {
    using world = new World()
    world.file("plain")
    symlinkSync("nowhere", world.at("dangling"))
    symlinkSync("loop", world.at("loop"))
    expect(world.faults(slotsFor({ a: world.at(name) })).join()).toStartWith(`WORKDIR_01_PATH: "${world.at(name)}" `)
  })

  test.each(["ro", "rw"])("a PATH that ends in :%s: says how read-write is asked for", (mode) => {
    using world = new World()
    expect(world.faults(slotsFor({ a: `${world.dir("a")}:${mode}` }))).toEqual([
      `WORKDIR_01_PATH: "${world.at("a")}:${mode}" does not exist; leave the :${mode} out of the path: it is read-only unless WORKDIR_01_READ_ONLY=false`,
    ])
  })

  test("a PATH without alias: alias is empty", () => {
    using world = new World()
    expect(world.faults({ WORKDIR_01_PATH: world.dir("a") }).join()).toStartWith("WORKDIR_01_ALIAS: alias is empty")
  })

  test("an alias without a PATH, where there is no layout", () => {
    using world = new World()
    expect(world.faults({ WORKDIR_01_ALIAS: "a" })).toEqual(["WORKDIR_01_PATH: the slot has an alias, but no directory; set this, or remove WORKDIR_01_ALIAS"])
  })

  test("READ_ONLY=false alone: disabled slot", () => {
    using world = new World()
    expect(world.faults({ WORKDIR_05_READ_ONLY: "false" }).join()).toMatch(/^WORKDIR_05_READ_ONLY: .*disabled slot/)
  })

  test.each([[[OFF]], [[OFF, "x"]]])("the sentinel in it is reserved (%j)", (names) => {
    using world = new World()
    expect(world.faults(slotsFor({ a: world.dir("a", names) })).join()).toMatch(/^WORKDIR_01_PATH: .*reserved/)
  })

  test("a root reached through links is known by its real path", () => {
    using world = new World()
    world.dir("real")
    symlinkSync("real", world.at("link"))
    expect(world.config(slotsFor({ a: world.at("link") })).workdirs[0]?.root).toBe(world.at("real"))
  })

  test("an override wins for its slot; deny globs are the union", () => {
    using world = new World()
    const { workdirs } = world.config({
      ...slotsFor({ a: world.dir("a"), b: world.dir("b"), c: world.dir("c") }),
      SERVERFS_ALLOW_HIDDEN: "true", SERVERFS_EXTRA_DENY_GLOBS: "*.one",
      WORKDIR_02_ALLOW_HIDDEN: "false", WORKDIR_02_DISABLE_DEFAULT_DENY: "true", WORKDIR_02_EXTRA_DENY_GLOBS: "*.two,*.one",
      WORKDIR_03_EXTRA_DENY_GLOBS: "",
    })
    expect(workdirs.map(({ policy }) => policy)).toEqual([
      { allowHidden: true, disableDefaultDeny: false, extraDenyGlobs: ["*.one"] },
      { allowHidden: false, disableDefaultDeny: true, extraDenyGlobs: ["*.one", "*.two"] },
      { allowHidden: true, disableDefaultDeny: false, extraDenyGlobs: ["*.one"] },
    ])
  })
})
