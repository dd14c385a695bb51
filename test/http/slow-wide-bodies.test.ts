import { expect, test } from "bun:test"
import { fixtureApp, listening } from "../helpers/fixture-app.ts"

const wrap = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_notes",${params}}}`
const args = (notes: string) => wrap(`"arguments":{"board":"main","notes":${notes}}`)
const members = Array.from({ length: 400_000 }, (_, i) => `"k${i}":1`).join(",")

/** Unbounded, the first took 4.4 s and 1.7 GB, the last three 3 s each, on a machine that parses any of them in 0.3 s. */
const BODIES: readonly (readonly [string, string, string])[] = [
  ["1.9 million elements", args(`[${"1,".repeat(1_900_000)}1]`), "INVALID_ARGUMENTS"],
  ["1.9 million empty objects", args(`[${"{},".repeat(1_900_000)}1]`), "INVALID_ARGUMENTS"],
  ["a million levels of arrays", args(`${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`), "-32700"],
  ["a million levels of objects", args(`${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}`), "-32700"],
  ["400,000 unknown arguments", wrap(`"arguments":{${members}}`), "-32600"],
  ["400,000 parameters", wrap(members), "-32600"],
  ["400,000 members of _meta", wrap(`"_meta":{${members}}`), "-32600"],
  ["400,000 capabilities", wrap(`"_meta":{"io.modelcontextprotocol/clientCapabilities":{"experimental":{${members}}}}`), "-32600"],
]

test.each(BODIES)("%s are refused in little more than the time it takes to parse them", async (_what, body, refusal) => {
  const fixture = fixtureApp()
  await using server = listening(fixture)
  const headers = { authorization: "Bearer full", "content-type": "application/json" }
  const parsing = performance.now()
  JSON.parse(body)
  const start = performance.now()
  const answer = await fetch(`${server.url}/mcp`, { method: "POST", headers, body })
  expect(await answer.text()).toContain(refusal)
  expect(performance.now() - start).toBeLessThan(1_500 + 4 * (start - parsing))
})
