import { describe, expect, test } from "bun:test"
import { World } from "./world.ts"

describe("SERVERFS_AUDIT_FILE", () => {
  test("its directory must exist, and it may not be one", () => {
    using world = new World()
    const files = { FILES_MCP_ROOT: world.dir("files") }
    expect(world.faults({ ...files, SERVERFS_AUDIT_FILE: world.at("absent/a") }).join()).toContain("does not exist; create that directory first")
    expect(world.faults({ ...files, SERVERFS_AUDIT_FILE: world.dir("log") }).join()).toContain("is a directory; name a file")
  })
})
