import { describe, expect, test } from "bun:test"
import { inOnePiece, jsonResponse } from "../../src/mcp/json-response.ts"

/** Answers when the request's own turn of the event loop is over, as a call that went through a lane does. */
function serving(make: () => Response | Promise<Response>): Disposable & { readonly port: number } {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: async () => {
    await new Promise((resolve) => setImmediate(resolve))
    return make()
  } })
  return { port: server.port!, [Symbol.dispose]: () => void server.stop(true) }
}

/** The first bytes that arrive of an answer. */
async function firstPiece(port: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: (_, bytes) => resolve(bytes.toString()) } })
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
  return await promise.finally(() => socket.end())
}

const SIZES = [0, 15_357, 15_358, 15_359, 16_384, 65_536, 1_000_000, 9_000_000]

describe("jsonResponse()", () => {
  test.each(SIZES)("an answer of %d bytes and two quotes comes whole, with its length and type", async (size) => {
    for (const unit of ["x", "é", "€"]) {
      const text = JSON.stringify(unit.repeat(size / unit.length))
      using server = serving(() => jsonResponse(text))
      const response = await fetch(`http://127.0.0.1:${server.port}/`)
      expect(response.headers.get("content-type")).toBe("application/json")
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)))
      expect((await response.text()) === text).toBe(true)
    }
  })

  test("a large answer's head comes in one piece with the first of its body, each time", async () => {
    using server = serving(() => jsonResponse(JSON.stringify("x".repeat(40_000))))
    for (let i = 0; i < 30; i++) expect(await firstPiece(server.port)).toContain('\r\n\r\n"xxx')
  })

  test("clients that go away before a large answer is sent cost nothing but it", async () => {
    using server = serving(() => jsonResponse(JSON.stringify("x".repeat(4_000_000))))
    for (let i = 0; i < 20; i++) await firstPiece(server.port)
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(200)
  })
})

describe("inOnePiece()", () => {
  test("keeps the headers and the text of a JSON answer", async () => {
    const text = JSON.stringify("é".repeat(20_000))
    const made = await inOnePiece(new Response(text, { headers: { "Content-Type": "application/json", "Mcp-Session-Id": "s" } }))
    expect([made.headers.get("content-type"), made.headers.get("mcp-session-id"), (await made.text()) === text]).toEqual(["application/json", "s", true])
  })

  test.each([
    ["a stream of events", new Response("data: {}", { headers: { "Content-Type": "text/event-stream" } })],
    ["nothing", new Response(null, { status: 202 })],
    ["an error", Response.json({}, { status: 400 })],
  ])("leaves %s as it is", async (_, response) => {
    expect(await inOnePiece(response)).toBe(response)
  })
})
