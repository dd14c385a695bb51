import { expect, test } from "bun:test"
import { eventsOf } from "../helpers/event-stream.ts"
import { fixtureApp, listening } from "../helpers/fixture-app.ts"

const HEADERS = { authorization: "Bearer full", "content-type": "application/json", accept: "application/json, text/event-stream" }
const MODERN = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "count_slowly" }
const ENVELOPE = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }

// Proxies cut a stream that is silent for 100 s, and Bun by default after 10 s. A stream of the newer revision begins with the first report.
test.concurrent.each([
  ["an older revision", {}, {}, 1],
  ["2026-07-28", MODERN, ENVELOPE, 2],
])(
  "a silent stream of %s carries a comment every 15 s, and its result arrives",
  async (_era, headers, envelope, steps) => {
    await using server = listening(fixtureApp())
    const params = { name: "count_slowly", arguments: { board: "main", steps, every: 16_000 }, _meta: { progressToken: 1, ...envelope } }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
    const text = await (await fetch(`${server.url}/mcp`, { method: "POST", headers: { ...HEADERS, ...headers }, body })).text()
    expect(text).toContain(": keepalive")
    expect(eventsOf(text).at(-1)).toMatchObject({ result: { structuredContent: { counted: steps } } })
  },
  60_000,
)
