import { describe, expect, test } from "bun:test"
import { fixtureApp, listening } from "../helpers/fixture-app.ts"

const MEBIBYTE = 2 ** 20
const REQUEST = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "do_nothing", arguments: { size: 4 * MEBIBYTE } } }

const headers = (token: string) => ({ authorization: `Bearer ${token}`, "content-type": "application/json" })

/** Asks for an answer of twice 4 MiB and reads nothing of it. */
async function askAndNotRead(port: number, path: string, body: string) {
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => {} } })
  socket.pause()
  const head = Object.entries({ host: "localhost", ...headers("full"), "content-length": body.length }).map(([name, value]) => `${name}: ${value}\r\n`)
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
