import { describe, expect, test } from "bun:test"
import { linkSync, mkdirSync, symlinkSync } from "node:fs"
import { TOKEN, World } from "../world.ts"

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

  const taken = (what: string) => [`SERVERFS_AUDIT_FILE: the audit file, or an older one, would take the place of ${what}; give it a name of its own`]

  test.each(["state.db", "state.db-wal", "state.db-shm", "state.db-journal", "gateway.lock"])("may not be %s of the state, whether that exists or not", (name) => {
    using world = new World()
    const env = { FILES_MCP_ROOT: world.dir("files"), SERVERFS_STATE_DIR: world.dir("state") }
    symlinkSync("state", world.at("link"))
    const given = [world.at("state", name), world.at("link", name)]
    const faults = () => given.map((file) => world.faults({ ...env, SERVERFS_AUDIT_FILE: file }))
    const expected = taken(`${name} in the state directory (SERVERFS_STATE_DIR)`)
    expect(faults()).toEqual([expected, expected])
    linkSync(world.file(`state/${name}`), world.at("another"))
    given.push(world.at("another"))
    expect(faults()).toEqual([expected, expected, expected])
    expect(world.faults({ ...env, SERVERFS_AUDIT_FILE: world.at("state/audit.log") })).toEqual([])
  })

  test("may not be the file of the token or of the environment, nor have it for an older one", () => {
    using world = new World()
    const env = { FILES_MCP_ROOT: world.dir("files"), SERVERFS_TOKEN_FILE: world.file("own/token.2", TOKEN), SERVERFS_AUDIT_FILE_KEEP: "2" }
    const faults = (file: string, more = {}) => world.faults({ ...env, SERVERFS_AUDIT_FILE: world.at("own", file), ...more }, { envFile: world.file("own/env") })
    expect(faults("token.2")).toEqual(taken("the token's file (SERVERFS_TOKEN_FILE)"))
    expect(faults("token")).toEqual(taken("the token's file (SERVERFS_TOKEN_FILE)"))
    expect(faults("token", { SERVERFS_AUDIT_FILE_KEEP: "1" })).toEqual([])
    expect(faults("env")).toEqual(taken("the environment file (--env-file)"))
    mkdirSync(world.at("own/d"))
    expect(faults("d/token.2")).toEqual([])
  })
})
