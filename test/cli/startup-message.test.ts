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
