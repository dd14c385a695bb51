import { expect, test } from "bun:test"
import { fixtureApp, listening } from "../helpers/fixture-app.ts"

test("stop() ends what hangs after its grace of 3 s, and no sooner", async () => {
  const server = listening(fixtureApp())
  const hanging = fetch(`${server.url}/mcp/count_slowly`, {
    method: "POST",
    headers: { authorization: "Bearer full" },
    body: JSON.stringify({ board: "main", steps: 1, every: 60_000 }),
  }).catch(() => "ended")
  await Bun.sleep(100)
  const start = performance.now()
  await server.stop()
  expect(await hanging).toBe("ended")
  expect(performance.now() - start).toBeGreaterThan(2_900)
  expect(performance.now() - start).toBeLessThan(5_000)
})
