import { describe, expect, test } from "bun:test"
import { World } from "../world.ts"

describe("SERVERFS_STATE_DIR", () => {
  test("is serverfs in an absolute XDG_STATE_HOME, else in ~/.local/state", () => {
    using world = new World()
    const files = { FILES_MCP_ROOT: world.dir("files") }
    expect(world.config({ ...files, XDG_STATE_HOME: world.at("xdg") }).stateDir).toBe(world.at("xdg/serverfs"))
    expect(world.config({ ...files, XDG_STATE_HOME: "relative" }).stateDir).toBe(world.at("home/.local/state/serverfs"))
  })

  test("must be set where there is no home", () => {
    using world = new World()
    const files = { FILES_MCP_ROOT: world.dir("files") }
    for (const home of [null, "", "relative"]) expect(world.faults(files, {}, { home }).join()).toStartWith("SERVERFS_STATE_DIR: ")
    expect(world.config({ ...files, SERVERFS_STATE_DIR: "state" }, {}, { home: null }).stateDir).toBe(world.at("state"))
  })

  test("a file there is refused", () => {
    using world = new World()
    expect(world.faults({ FILES_MCP_ROOT: world.dir("files"), SERVERFS_STATE_DIR: world.file("plain") }).join()).toContain("is not a directory")
  })
})
