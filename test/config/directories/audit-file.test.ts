import { describe, expect, test } from "bun:test"
import { World } from "../world.ts"

describe("SERVERFS_AUDIT_FILE", () => {
  test("its directory must exist, and it may not be one", () => {
    using world = new World()
    const files = { FILES_MCP_ROOT: world.dir("files") }
    expect(world.faults({ ...files, SERVERFS_AUDIT_FILE: world.at("absent/a") }).join()).toContain("does not exist; create that directory first")
    expect(world.faults({ ...files, SERVERFS_AUDIT_FILE: world.dir("log") }).join()).toContain("is a directory; name a file")
  })

  test.each(["on", "ON", "yes", "true", "1", "no", "false", "0"])("%s would be a file of that name, and is refused", (word) => {
    using world = new World()
    expect(world.faults({ FILES_MCP_ROOT: world.dir("files"), SERVERFS_AUDIT_FILE: word })).toEqual([`SERVERFS_AUDIT_FILE: "${word}" is not accepted; give off, or a path, such as /var/log/serverfs/audit.log (default off)`])
  })

  test.each(["off", "OFF"])("%s turns it off", (word) => {
    using world = new World()
    expect(world.config({ FILES_MCP_ROOT: world.dir("files"), SERVERFS_AUDIT_FILE: word }).auditFile).toBeNull()
  })
})
