import { describe, expect, test } from "bun:test"
import { TOKEN_PREFIXES } from "../../src/config/token-prefix.ts"
import { newTokenText } from "../../src/state/token-text.ts"
import { slotsFor, TOKEN, World } from "./world.ts"

describe("SERVERFS_TOKEN_FILE", () => {
  const load = (world: World, text: string) => ({ SERVERFS_TOKEN_FILE: world.file("conf/token", text), FILES_MCP_ROOT: world.dir("files") })

  test.each(["", "\n", "\r\n"])("drops one trailing newline (%j)", (end) => {
    using world = new World()
    expect(world.config(load(world, `${TOKEN}${end}`)).token).toBe(TOKEN)
  })

  test.each(["", "\n", "x".repeat(31), `${TOKEN}\n\n`, `${TOKEN} `, `${TOKEN}\nmore`, "é".repeat(32)])("refuses %j without showing it", (text) => {
    using world = new World()
    const faults = world.faults(load(world, text))
    expect(faults).toHaveLength(1)
    expect(faults[0]).toStartWith("SERVERFS_TOKEN_FILE: what the file holds is not accepted")
    expect(faults[0]).not.toContain(TOKEN)
  })

  test("missing, a directory, or together with SERVERFS_TOKEN is a fault", () => {
    using world = new World()
    const files = { FILES_MCP_ROOT: world.dir("files") }
    expect(world.faults({ ...files, SERVERFS_TOKEN_FILE: world.at("absent") }).join()).toContain("does not exist")
    expect(world.faults({ ...files, SERVERFS_TOKEN_FILE: world.dir("d") }).join()).toContain("is not a regular file")
    expect(world.faults({ ...load(world, TOKEN), SERVERFS_TOKEN: TOKEN })).toEqual(["SERVERFS_TOKEN_FILE: SERVERFS_TOKEN is set too; keep one of them"])
  })

  test.each(TOKEN_PREFIXES)("a text that serverfs made (%s…) is refused, from the variable too: it would outlive its revocation", (prefix) => {
    using world = new World()
    const text = newTokenText(prefix)
    const files = { FILES_MCP_ROOT: world.dir("files") }
    const expected = (variable: string) => [expect.stringMatching(new RegExp(`^${variable}: the token begins with ${prefix}, .*openssl rand -hex 32`))]
    expect(world.faults(load(world, text))).toEqual(expected("SERVERFS_TOKEN_FILE"))
    expect(world.faults({ ...files, SERVERFS_TOKEN: text })).toEqual(expected("SERVERFS_TOKEN"))
    expect(world.faults({ ...files, SERVERFS_TOKEN: text }).join()).not.toContain(text)
  })

  test("inside a directory that is served is refused, a read-only one too", () => {
    using world = new World()
    world.dir("served")
    const env = { SERVERFS_TOKEN_FILE: world.file("served/token", TOKEN), ...slotsFor({ served: world.at("served") }) }
    expect(world.faults(env).join()).toContain("SERVERFS_TOKEN_FILE: the token's file lies inside the workdir 'served'")
  })
})
