import { expect, test } from "bun:test"
import { run } from "../../../src/cli/commands/healthcheck.ts"

test("healthcheck is 1 after 3 s when what listens there never answers", async () => {
  using silent = Bun.listen({ port: 0, hostname: "127.0.0.1", socket: { data: () => {} } })
  let stderr = ""
  const terminal = { stdout: { write: () => {} }, stderr: { write: (text: string) => (stderr += text) } }
  const start = performance.now()
  expect(await run([], { ...terminal, address: { host: "127.0.0.1", port: silent.port } })).toBe(1)
  expect(performance.now() - start).toBeWithin(2900, 4000)
  expect(stderr).toContain("does not answer within 3000 ms")
})
