import { describe, expect, test } from "bun:test"
import { loadConfig, type Sources } from "../../src/config/load.ts"
import { loadApart } from "../../src/config/load-in-time.ts"
import { slotsFor, World } from "./world.ts"

function sourcesOf(world: World, env: Record<string, string>): Sources {
  return {
    env: { SERVERFS_WORKDIRS_ROOT: world.at("no-layout"), ...env },
    options: { dirs: [], envFile: null, host: null, port: "9" },
    cwd: world.base, home: world.at("home"), program: world.at("program"), needsDirectory: true,
  }
}

describe("loadApart()", () => {
  test("loads what loadConfig() loads, and nothing in it can be changed", async () => {
    using world = new World()
    const sources = sourcesOf(world, { ...slotsFor({ a: world.dir("a") }), FILES_MCP_ROOT: world.dir("files"), SERVERFS_METRICS: "on" })
    const loaded = await loadApart(sources)
    expect(loaded).toEqual(loadConfig(sources))
    expect(loaded.ok && [loaded.config, loaded.config.workdirs, loaded.config.workdirs[0]?.policy].every(Object.isFrozen)).toBe(true)
    expect(loaded.ok && loaded.given["SERVERFS_PORT"]).toEqual({ text: "9", by: "--port" })
  })

  test("gives every fault and warning", async () => {
    using world = new World()
    const sources = sourcesOf(world, { ...slotsFor({ a: world.at("gone") }), SERVERFS_PORT: "x", SERVERFS_NONSENSE: "1" })
    const loaded = await loadApart(sources)
    expect(loaded).toEqual(loadConfig(sources))
    expect(loaded.ok === false && loaded.faults.length > 0 && loaded.warnings.length > 0).toBe(true)
  })
})
