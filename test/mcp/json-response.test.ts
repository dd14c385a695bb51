import { describe, expect, test } from "bun:test"
import { accounted, jsonResponse, type Unsent } from "../../src/mcp/json-response.ts"

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

/** Adds up what is told. */
function counted(): { readonly held: () => number; readonly unsent: Unsent } {
  let held = 0
  return { held: () => held, unsent: (bytes) => {
    held += bytes
    return () => { held -= bytes }
  } }
}

/** A client that has asked and reads nothing until it is resumed. */
async function connected(port: number) {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let last = ""
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: (_, bytes) => {
    last = bytes.toString("latin1", bytes.length - 1)
    if (last === '"') resolve()
  } } })
  socket.pause()
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
  return { socket, ended }
}

async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited += 10) {
    if (waited > 5000) throw new Error("it did not come about")
    await Bun.sleep(10)
  }
}

const SIZES = [0, 15_357, 15_358, 15_359, 16_384, 65_536, 1_000_000, 9_000_000]

describe("jsonResponse()", () => {
  test.each(SIZES)("an answer of %d bytes and two quotes comes whole, with its length and type", async (size) => {
    for (const unit of ["x", "é", "€"]) {
      const text = JSON.stringify(unit.repeat(size / unit.length))
      using server = serving(() => jsonResponse([text.slice(0, 2), text.slice(2)], counted().unsent))
      const response = await fetch(`http://127.0.0.1:${server.port}/`)
      expect(response.headers.get("content-type")).toBe("application/json")
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)))
      expect((await response.text()) === text).toBe(true)
    }
  })

  test("a large answer's head comes in one piece with the first of its body, each time", async () => {
    using server = serving(() => jsonResponse([JSON.stringify("x".repeat(40_000))], counted().unsent))
    for (let i = 0; i < 30; i++) expect(await firstPiece(server.port)).toContain('\r\n\r\n"xxx')
  })

  test("counts a large answer until it has been sent, and a small one not at all", async () => {
    const { held, unsent } = counted()
    using server = serving(() => jsonResponse([JSON.stringify("x".repeat(8_000_000))], unsent))
    const reader = await connected(server.port)
    await until(() => held() > 8_000_000)
    reader.socket.resume()
    await reader.ended
    await until(() => held() === 0)
    expect(await jsonResponse(["{}"], () => { throw new Error("counted") }).text()).toBe("{}")
  })

  test("counts it no more when its client goes away instead of reading it", async () => {
    const { held, unsent } = counted()
    using server = serving(() => jsonResponse([JSON.stringify("x".repeat(8_000_000))], unsent))
    const readers = await Promise.all(Array.from({ length: 5 }, () => connected(server.port)))
    await until(() => held() > 40_000_000)
    for (const { socket } of readers) socket.terminate()
    await until(() => held() === 0)
  })
})

describe("accounted()", () => {
  test("gives a stream of events on as it comes, with its head", async () => {
    const made = await accounted(new Response("data: {}\n\n", { headers: { "Content-Type": "text/event-stream", "Mcp-Session-Id": "s" } }), counted().unsent)
    expect([made.status, made.headers.get("content-type"), made.headers.get("mcp-session-id"), await made.text()]).toEqual([200, "text/event-stream", "s", "data: {}\n\n"])
  })

  test("counts the events of a stream as they are made, whether the client takes them or not, until it has", async () => {
    const { held, unsent } = counted()
    const event = new TextEncoder().encode(`data: ${"x".repeat(1_000_000)}\n\n`)
    const made = () => new ReadableStream<Uint8Array>({ start: (events) => { for (let i = 0; i < 20; i++) events.enqueue(event) } })
    using server = serving(() => accounted(new Response(made(), { headers: { "Content-Type": "text/event-stream" } }), unsent))
    const reader = await connected(server.port)
    await until(() => held() >= 10_000_000)
    reader.socket.resume()
    await until(() => held() === 0)
  })

  test("keeps the headers and the text of a JSON answer", async () => {
    const text = JSON.stringify("é".repeat(20_000))
    const made = await accounted(new Response(text, { headers: { "Content-Type": "application/json", "Mcp-Session-Id": "s" } }), counted().unsent)
    expect([made.headers.get("content-type"), made.headers.get("mcp-session-id"), (await made.text()) === text]).toEqual(["application/json", "s", true])
  })

  test.each([
    ["nothing", new Response(null, { status: 202 })],
    ["an error", Response.json({}, { status: 400 })],
  ])("leaves %s as it is", async (_, response) => {
    expect(await accounted(response, counted().unsent)).toBe(response)
  })
})
