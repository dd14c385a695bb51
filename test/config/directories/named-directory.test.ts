import { describe, expect, test } from "bun:test"
import { World } from "../world.ts"

describe("--dir", () => {
  test("serves read-only unless :rw, in the lowest free slots, under the global policy", () => {
    using world = new World()
    const env = { WORKDIR_02_ALIAS: "slot", WORKDIR_02_PATH: world.dir("slot"), SERVERFS_ALLOW_HIDDEN: "true" }
    world.dir("docs")
    const { workdirs, zeroConfig } = world.config(env, { dirs: ["docs=docs", `work=${world.dir("work")}:rw`] })
    expect(workdirs.map(({ alias, readOnly, root }) => [alias, readOnly, root])).toEqual([
      ["docs", true, world.at("docs")], ["slot", true, world.at("slot")], ["work", false, world.at("work")],
    ])
    expect([workdirs[0]?.policy.allowHidden, zeroConfig]).toEqual([true, false])
  })

  test("takes a path with = or : in it", () => {
    using world = new World()
    const { workdirs } = world.config({}, { dirs: [`a=${world.dir("x=y")}`, `b=${world.dir("c:d")}:rw`] })
    expect(workdirs.map(({ root }) => root)).toEqual([world.at("x=y"), world.at("c:d")])
  })

  test.each(["docs=", "docs=:rw"])("%j is a fault that says that the path is missing", (text) => {
    using world = new World()
    expect(world.faults({}, { dirs: [text] })).toEqual([`--dir: ${JSON.stringify(text)} has no path; write ALIAS=PATH, or ALIAS=PATH:rw to allow changes`])
  })

  test.each(["docs", "", "/srv/docs"])("%j is a fault that says how to write it", (text) => {
    using world = new World()
    expect(world.faults({}, { dirs: [text] })).toEqual([`--dir: ${JSON.stringify(text)} is not accepted; write ALIAS=PATH, or ALIAS=PATH:rw to allow changes`])
  })

  test("a bad alias, a missing directory and a taken alias name the option", () => {
    using world = new World()
    const dirs = [`1=${world.dir("one")}`, `a=${world.at("absent")}`, `b=${world.dir("b")}`, `b=${world.dir("c")}`]
    expect(world.faults({}, { dirs }).map((line) => line.split(": ")[0])).toEqual([`--dir ${dirs[3]}`, `--dir ${dirs[0]}`, `--dir ${dirs[1]}`])
  })

  test.each(["ro", "RW", "Ro"])(":%s at its end: says how read-write is asked for", (mode) => {
    using world = new World()
    const dir = `a=${world.dir("a")}:${mode}`
    expect(world.faults({}, { dirs: [dir] })).toEqual([
      `--dir ${dir}: "${world.at("a")}:${mode}" does not exist; leave the :${mode} out of the path: it is read-only unless :rw ends the option`,
    ])
  })

  test("serves a directory whose name ends in :ro, since it is there", () => {
    using world = new World()
    expect(world.config({}, { dirs: [`a=${world.dir("a:ro")}`] }).workdirs.map(({ root, readOnly }) => [root, readOnly])).toEqual([[world.at("a:ro"), true]])
  })

  test("a seventeenth is a fault", () => {
    using world = new World()
    const dirs = Array.from({ length: 17 }, (_, i) => `w${i}=${world.dir(`w${i}`)}`)
    expect(world.faults({}, { dirs })).toEqual([`--dir ${dirs[16]}: all 16 slots are taken; serve fewer directories`])
  })
})
