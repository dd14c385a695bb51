import { describe, expect, test } from "bun:test"
import { MODERN } from "../e2e/channels.ts"
import { fixtureApp, listening } from "../helpers/fixture-app.ts"
import { doNothing, fixtureService } from "../helpers/fixture-service.ts"

const META = { "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" }, "io.modelcontextprotocol/clientCapabilities": {} }

const MEBIBYTE = 2 ** 20
const REQUEST = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "do_nothing", arguments: { size: 4 * MEBIBYTE } } }

const headers = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" })

/** Asks for an answer of twice 4 MiB and reads nothing of it. */
async function askAndNotRead(port: number, path: string, body: string, extra: Readonly<Record<string, string>> = {}) {
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {} } })
  socket.pause()
  const head = Object.entries({ host: "localhost", ...headers("full"), ...extra, "content-length": body.length }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`)
  return socket
}

describe("answers that nobody reads", () => {
  test.each([
    ["/mcp", JSON.stringify(REQUEST), 8],
    // The second of the two is more than a batch may hold.
    ["/mcp", JSON.stringify([REQUEST, { ...REQUEST, id: 2 }]), 8],
    ["/mcp/do_nothing", JSON.stringify(REQUEST.params.arguments), 4],
  ])("of %s are held up to a bound for each token, and no longer than their connections", async (path, body, mebibytes) => {
    const fixture = fixtureApp()
    await using server = listening(fixture)
    const { port } = new URL(server.url)
    const ask = async (token: string) => {
      const answer = await fetch(`${server.url}/mcp/do_nothing`, { method: "POST", headers: headers(token), body: "{}" })
      return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text: await answer.text() }
    }
    const sockets = []
    let refused = await ask("full")
    for (let held = 0; refused.status === 200; held += mebibytes) {
      expect(held).toBeLessThanOrEqual(64 + 2 * mebibytes)
      sockets.push(await askAndNotRead(Number(port), path, body))
      // Until it has been made.
      await Bun.sleep(200)
      refused = await ask("full")
    }
    expect(refused).toMatchObject({ status: 429, retryAfter: "1", text: expect.stringContaining("RESOURCE_EXHAUSTED") })
    expect(fixture.audit.events.filter(({ name }) => name === "request_refused")).toMatchObject([{ fields: { principal: expect.any(String) } }])
    expect((await ask("reader")).status).toBe(200)
    for (const socket of sockets) socket.terminate()
    await Bun.sleep(200)
    expect((await ask("full")).status).toBe(200)
  })
})

describe("event streams that nobody reads", () => {
  const told = { ...doNothing, name: "told", reportsProgress: true }
  const call = (version: string) => ({ ...REQUEST, params: { ...REQUEST.params, name: "told", _meta: { progressToken: 1, ...(version === MODERN ? META : {}) } } })

  test.each(["2025-11-25", MODERN])("are held up to the same bound, %s", async (version) => {
    const fixture = fixtureApp({ services: [fixtureService({ tools: [told] })] })
    await using server = listening(fixture)
    const { port } = new URL(server.url)
    const extra = { accept: "application/json, text/event-stream", "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": "told" }
    const sockets = []
    let status = 200
    for (let held = 0; status === 200; held += 8) {
      expect(held).toBeLessThanOrEqual(80)
      sockets.push(await askAndNotRead(Number(port), "/mcp", JSON.stringify(call(version)), extra))
      await Bun.sleep(200)
      status = (await fetch(`${server.url}/mcp/told`, { method: "POST", headers: headers("full"), body: "{}" })).status
    }
    expect(status).toBe(429)
    for (const socket of sockets) socket.terminate()
    await Bun.sleep(200)
    expect((await fetch(`${server.url}/mcp/told`, { method: "POST", headers: headers("full"), body: "{}" })).status).toBe(200)
  })
})
