import { describe, expect, test } from "bun:test"
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { World } from "./world.ts"

describe("SERVERFS_AUDIT_FILE", () => {
  test("its directory must exist, and it may not be one", () => {
    using world = new World()
    const files = { FILES_MCP_ROOT: world.dir("files") }
    expect(world.faults({ ...files, SERVERFS_AUDIT_FILE: world.at("absent/a") }).join()).toContain("does not exist; create that directory first")
    expect(world.faults({ ...files, SERVERFS_AUDIT_FILE: world.dir("log") }).join()).toContain("is a directory; name a regular file")
  })

  test.each([
    ["a link", "is a link, or no regular file", (at: string) => symlinkSync("elsewhere", at)],
    ["a FIFO", "is a link, or no regular file", (at: string) => void Bun.spawnSync(["mkfifo", at])],
  ])("%s is refused before a start opens it", (_what, why, make) => {
    using world = new World()
    make(join(world.dir("log"), "audit"))
    expect(world.faults({ FILES_MCP_ROOT: world.dir("files"), SERVERFS_AUDIT_FILE: world.at("log/audit") }).join()).toContain(why)
  })

  test("off, on and the like are no file names", () => {
    using world = new World()
    const files = { FILES_MCP_ROOT: world.dir("files") }
    for (const word of ["on", "true", "yes", "1", "ON"]) {
      expect(world.faults({ ...files, SERVERFS_AUDIT_FILE: word }).join()).toContain("SERVERFS_AUDIT_FILE: ")
    }
    expect(world.faults({ ...files, SERVERFS_AUDIT_FILE: "off" })).toEqual([])
  })
})
