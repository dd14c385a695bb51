import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { fixtureApp, listening } from "../helpers/fixture-app.ts"
import { conformanceService } from "./fixture-service.ts"
import { SCENARIOS } from "./scenarios.ts"
import { addingBearer, listScenarios, runScenario } from "./suite.ts"

/** A process each; half a second on an idle machine. */
const TIMEOUT_MS = 60_000

const OURS: ReadonlySet<string> = new Set(["2025-11-25", "2026-07-28"])

describe("the list of scenarios", () => {
  test("names exactly the suite's, each with a reason for what is not run", async () => {
    const suite = await listScenarios()
    expect(SCENARIOS.map(({ name }) => name).sort()).toEqual([...suite.keys()].sort())
    for (const { name, runs, reason } of SCENARIOS) {
      const applies = (suite.get(name) ?? []).filter((revision) => OURS.has(revision))
      expect(applies).toEqual(expect.arrayContaining([...runs]))
      if (runs.length < applies.length || runs.length === 0) expect(`${name}: ${reason ?? ""}`).toMatch(/: .{10}/)
    }
  }, TIMEOUT_MS)
})

describe("the official suite against the HTTP stack", () => {
  let server: ReturnType<typeof listening>
  let proxy: ReturnType<typeof addingBearer>
  beforeAll(() => {
    server = listening(fixtureApp({ services: [conformanceService] }))
    proxy = addingBearer(server.url, "full")
  })
  afterAll(async () => {
    proxy[Symbol.dispose]()
    await server.stop()
  })

  const runs = SCENARIOS.flatMap(({ name, runs, fails = {} }) => runs.map((revision) => [name, revision, fails] as const))

  test.each(runs)("%s under %s", async (name, revision, fails) => {
    const checks = await runScenario(`${proxy.url}/mcp`, name, revision)
    expect(checks.some(({ status }) => status === "SUCCESS")).toBe(true)
    const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING")
    expect(failed.map(({ id }) => id).sort()).toEqual(Object.keys(fails).sort())
  }, TIMEOUT_MS)
})
