import { expect, test } from "bun:test"

/** Below these stand advisories that would reach us: shared transports that leak replies, unbounded bodies and validation, CORS reflection. */
const FLOORS: readonly (readonly [name: string, floor: string])[] = [
  ["@modelcontextprotocol/sdk", "1.32.2"],
  ["@modelcontextprotocol/server", "2.4.0"],
  ["hono", "4.13.19"],
]

test.each(FLOORS)("%s is not older than %s", async (name, floor) => {
  const installed = (await Bun.file(`${import.meta.dir}/../../node_modules/${name}/package.json`).json()) as { version: string }
  expect(Bun.semver.order(installed.version, floor)).toBeGreaterThanOrEqual(0)
})
