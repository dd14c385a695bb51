import { describe, expect, test } from "bun:test"
import { isLoopback, needsCredential } from "../../src/config/credential.ts"
import type { Config } from "../../src/config/config.ts"
import { TOKEN, World } from "./world.ts"

const NONE = { liveTokens: 0, operatorSecret: false }
const listening = ({ host, token }: Pick<Config, "host" | "token">) => ({ host, hasToken: token !== null })

describe("isLoopback()", () => {
  test.each(["127.0.0.1", "127.255.0.9", "::1", "localhost"])("%s", (host) => {
    expect(isLoopback(host)).toBe(true)
  })

  test.each(["0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.org", "127.example.org", "localhost.example.org", "::ffff:10.0.0.1", "my-host"])("not %s", (host) => {
    expect(isLoopback(host)).toBe(false)
  })
})

describe("needsCredential()", () => {
  test("a bind beyond loopback needs a token, a live named one or an operator secret: CONFIGURATION_ERROR", () => {
    using world = new World()
    const env = { FILES_MCP_ROOT: world.dir("files"), SERVERFS_HOST: "0.0.0.0" }
    const open = world.config(env)
    expect(needsCredential(listening(open), NONE)?.variable).toBe("SERVERFS_HOST")
    expect(needsCredential(listening(open), { ...NONE, liveTokens: 1 })).toBeNull()
    expect(needsCredential(listening(open), { ...NONE, operatorSecret: true })).toBeNull()
    expect(needsCredential(listening(world.config({ ...env, SERVERFS_TOKEN: TOKEN })), NONE)).toBeNull()
    expect(needsCredential(listening(world.config({ ...env, SERVERFS_HOST: "localhost" })), NONE)).toBeNull()
  })
})
