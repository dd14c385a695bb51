import { expect, test } from "bun:test"
import { startupMessage } from "../../src/cli/startup-message.ts"
import { slotsFor, TOKEN, World } from "../config/world.ts"

test("startupMessage() says what is wrong with the configuration, below what is served", () => {
  using world = new World()
  const loaded = world.load({ ...slotsFor({ docs: world.dir("docs") }), SERVERFS_TOKEN: TOKEN, SERVERFS_NOTHING_OF_THE_KIND: "1" })
  if (!loaded.ok) throw new Error("a fault was not expected")
  const text = startupMessage({ config: loaded.config, url: "http://127.0.0.1:8000", firstToken: null, warnings: [...loaded.warnings, { event: "config_not_writable", directory: "workdir docs" }] })
  expect(text).toMatch(/workdir docs .*\n  Warning: SERVERFS_NOTHING_OF_THE_KIND: there is no such variable.*\n  Warning: workdir docs is meant to be changed/)
})

test("startupMessage() says that other machines need a name, where it listens on every interface and has none", () => {
  using world = new World()
  const said = (env: Record<string, string>): string => {
    const loaded = world.load({ ...slotsFor({ docs: world.dir("docs") }), SERVERFS_TOKEN: TOKEN, ...env })
    if (!loaded.ok) throw new Error("a fault was not expected")
    return startupMessage({ config: loaded.config, url: "http://127.0.0.1:8000", firstToken: null, warnings: [] })
  }
  const hint = "Other machines are refused until SERVERFS_ALLOWED_HOSTS names what they call it."
  expect(said({ SERVERFS_HOST: "0.0.0.0" })).toContain(hint)
  expect(said({ SERVERFS_HOST: "0.0.0.0", SERVERFS_ALLOWED_HOSTS: "gate.lan" })).not.toContain(hint)
  expect(said({ SERVERFS_HOST: "192.0.2.7" })).not.toContain(hint)
})
