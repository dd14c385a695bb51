import { describe, expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { World } from "../world.ts"

describe("no configuration", () => {
  test("serves the current directory, read-only, under its own name", () => {
    using world = new World()
    const cwd = world.dir("My Project")
    const { workdirs, zeroConfig } = world.config({ SERVERFS_PORT: "0", SERVERFS_ALLOW_HIDDEN: "true", WORKDIR_01_ALIAS: "" }, {}, { cwd })
    expect(workdirs).toEqual([{
      alias: "My-Project", root: cwd, description: null, readOnly: true, policy: { allowHidden: true, disableDefaultDeny: false, extraDenyGlobs: [] },
    }])
    expect(zeroConfig).toBe(true)
  })

  test("the program's own directory may be that one, since it is read-only", () => {
    using world = new World()
    const cwd = world.dir("program")
    expect(world.config({}, {}, { cwd }).workdirs[0]?.root).toBe(cwd)
  })

  test("never /, the home directory, one around it, or the state directory", () => {
    using world = new World()
    const home = world.dir("users/me")
    world.dir("users/me/.local/state/serverfs/below")
    symlinkSync(home, world.at("link"))
    const refused = ["/", home, world.at("link"), world.at("users"), world.at("users/me/.local/state/serverfs"), world.at("users/me/.local/state/serverfs/below")]
    for (const cwd of refused) {
      const faults = world.faults({}, {}, { cwd, home })
      expect(faults).toHaveLength(1)
      expect(faults[0]).toStartWith("--dir: nothing is configured, and the current directory is ")
    }
    expect(world.config({}, {}, { cwd: world.dir("users/me/project"), home }).workdirs[0]?.alias).toBe("project")
  })

  test("a command that needs no directory is let off, and still told the one that would be served", () => {
    using world = new World()
    const home = world.dir("home")
    expect(world.config({}, {}, { cwd: home, home, needsDirectory: false }).workdirs).toEqual([])
    expect(world.config({}, {}, { cwd: world.dir("project"), home, needsDirectory: false }).workdirs[0]?.alias).toBe("project")
  })

  test("a home directory of / refuses / alone", () => {
    using world = new World()
    const cwd = world.dir("project")
    expect(world.config({ SERVERFS_STATE_DIR: world.at("state") }, {}, { cwd, home: "/" }).zeroConfig).toBe(true)
  })

  const OTHERWISE: readonly (readonly [string, (world: World) => Record<string, string>, readonly string[]])[] = [
    ["a slot variable", () => ({ WORKDIR_03_READ_ONLY: "true" }), []],
    ["a Files root", (world) => ({ FILES_MCP_ROOT: world.dir("files") }), []],
    ["a layout", (world) => ({ SERVERFS_WORKDIRS_ROOT: world.dir("layout") }), []],
    ["--dir", () => ({}), ["a=."]],
  ]

  test.each(OTHERWISE)("is not the case with %s", (_what, env, dirs) => {
    using world = new World()
    const { workdirs, zeroConfig } = world.config(env(world), { dirs })
    expect({ zeroConfig, count: workdirs.length }).toEqual({ zeroConfig: false, count: dirs.length })
  })
})
