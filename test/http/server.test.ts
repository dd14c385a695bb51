import { describe, expect, test } from "bun:test"
import { request } from "node:http"
import { MAX_BODY_BYTES } from "../../src/http/max-body.ts"
import { ListenError, listen } from "../../src/http/server.ts"
import { type FixtureApp, fixtureApp, listening } from "../helpers/fixture-app.ts"
import { rawExchange } from "../helpers/raw-exchange.ts"

const HEAD = "Host: localhost\r\nAuthorization: Bearer full\r\nContent-Type: application/json\r\n"
const AUTH = { authorization: "Bearer full", "content-type": "application/json" }
const MIB = 1024 * 1024

const call = (name: string, args: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
const post = (url: string, body: string | Uint8Array<ArrayBuffer> | ReadableStream, signal?: AbortSignal) => fetch(url, { method: "POST", headers: AUTH, body, ...(signal === undefined ? {} : { signal }) })

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !holds(); i++) await Bun.sleep(10)
}

const chunked = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

describe("listen()", () => {
  test("serves on any free port and says which", async () => {
    await using server = listening(fixtureApp())
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  test("a port that is taken is a ListenError that names it", async () => {
    const fixture = fixtureApp()
    await using server = listening(fixture)
    const again = () => listen({ host: "127.0.0.1", port: server.port, trustedProxies: [] }, fixture.app)
    expect(again).toThrow(ListenError)
    expect(again).toThrow(`port ${server.port} on 127.0.0.1 is taken`)
  })

  test("an address of another machine is one that says so", () => {
    const elsewhere = () => listen({ host: "203.0.113.1", port: 0, trustedProxies: [] }, fixtureApp().app)
    expect(elsewhere).toThrow("port 0 on 203.0.113.1 can't be listened on: that is no address of this machine (--host takes one, such as 127.0.0.1)")
  })

  test("tells auth_failed whom the request came from, through a trusted proxy only", async () => {
    const fixture = fixtureApp()
    for (const trusted of [[], ["127.0.0.1"]]) {
      await using server = listening(fixture, trusted)
      await fetch(`${server.url}/mcp`, { method: "POST", headers: { authorization: "Bearer wrong", "x-forwarded-for": "198.51.100.1" } })
    }
    expect(fixture.audit.events.map(({ fields }) => fields["client"])).toEqual(["127.0.0.1", "198.51.100.1"])
  })

  test.each([
    ["no Host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["a foreign Host", "GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n"],
    ["two Hosts", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"],
    ["a port in the Host that is none", "POST /mcp HTTP/1.1\r\nHost: localhost:99999\r\nAuthorization: Bearer full\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"],
    ["a path in the Host", "GET /mcp HTTP/1.1\r\nHost: localhost/healthz?\r\n\r\n"],
    ["an absolute target of a foreign host", "GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n"],
    ["two lengths", `POST /mcp HTTP/1.1\r\n${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}{}{}`],
    ["a length and chunks", `POST /mcp HTTP/1.1\r\n${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ["no HTTP at all", "\u0016\u0003\u0001\u0000\u0000"],
  ])("%s is refused without a stack trace, and the next request is served", async (_what, bytes) => {
    await using server = listening(fixtureApp())
    const answer = await rawExchange(server.port, [bytes], 300)
    expect(answer).not.toMatch(/^HTTP\/1\.1 (2|5)/)
    expect(answer).not.toMatch(/<html|\.ts:/)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })
})

describe("readBody()", () => {
  test("takes a body of nearly 8 MiB, declared or in chunks", async () => {
    await using server = listening(fixtureApp())
    const body = call("do_nothing", { ignored: "x".repeat(MAX_BODY_BYTES - 200) })
    expect((await post(`${server.url}/mcp`, body)).status).toBe(200)
    const chunks = new Blob([body]).stream()
    expect((await post(`${server.url}/mcp`, chunks)).status).toBe(200)
  })

  test("a declared length over 8 MiB is 413 JSON before the body is sent", async () => {
    await using server = listening(fixtureApp())
    const answer = await rawExchange(server.port, [`POST /mcp HTTP/1.1\r\n${HEAD}Content-Length: ${9 * MIB}\r\n\r\n`], 300)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect(answer).toContain('"code":"body_too_large"')
  })

  test("chunks are 413 JSON as soon as they pass 8 MiB, whatever is still to come", async () => {
    await using server = listening(fixtureApp())
    const mib = chunked("x".repeat(MIB))
    const answer = await rawExchange(server.port, [`POST /mcp HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n`, ...Array.from({ length: 9 }, () => mib)], 1000)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
  })

  test.each([9, 40])("a client that sends its %d MiB without listening reads the 413 all the same", async (mib) => {
    await using server = listening(fixtureApp())
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
    const sending = request(`${server.url}/mcp`, { method: "POST", headers: { ...AUTH, "content-length": mib * MIB } }, ({ statusCode }) => resolve(statusCode))
    sending.on("error", reject)
    sending.end(Buffer.alloc(mib * MIB, "x"))
    expect(await promise).toBe(413)
  })

  test("the same bounds hold for REST", async () => {
    await using server = listening(fixtureApp())
    const answer = await rawExchange(server.port, [`POST /mcp/do_nothing HTTP/1.1\r\n${HEAD}Content-Length: ${9 * MIB}\r\n\r\n`], 300)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test("bodies of one principal over 64 MiB at once are 429, until some have ended", async () => {
    await using server = listening(fixtureApp())
    const head = `POST /mcp HTTP/1.1\r\n${HEAD}Content-Length: ${8 * MIB}\r\n\r\n`
    const held = Array.from({ length: 8 }, () => rawExchange(server.port, [head], 1500))
    await Bun.sleep(300)
    expect(await rawExchange(server.port, [head], 300)).toMatch(/^HTTP\/1\.1 429 /)
    await Promise.all(held)
    const large = call("do_nothing", { ignored: "x".repeat(MIB) })
    let status = 0
    for (let i = 0; i < 200 && status !== 200; i++, await Bun.sleep(10)) status = (await post(`${server.url}/mcp`, large)).status
    expect(status).toBe(200)
  })

  test("bytes that are not UTF-8 are 400, never mended", async () => {
    await using server = listening(fixtureApp())
    const [before = "", after = ""] = call("write_notes", { board: "main", notes: [{ path: "p", text: "|" }] }).split("|")
    const body = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)])
    const answer = await post(`${server.url}/mcp`, body)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32700 } }])
    expect(await (await post(`${server.url}/mcp`, call("read_note", { board: "main", path: "p" }))).text()).toContain("PATH_NOT_FOUND")
  })

  test("a REST body that is not UTF-8 is an argument error, audited like any", async () => {
    const fixture = fixtureApp()
    await using server = listening(fixture)
    const answer = await post(`${server.url}/mcp/read_note`, Buffer.from([...Buffer.from('{"board":"main","path":"'), 0xff, ...Buffer.from('"}')]))
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "INVALID_ARGUMENTS" }])
    expect(fixture.audit.calls).toMatchObject([{ tool: "read_note", success: false, error_code: "INVALID_ARGUMENTS" }])
  })

  test("a body that does not arrive in time is 408", async () => {
    await using server = listening(fixtureApp({ limits: { callTimeoutMs: 100 } }))
    const answer = await rawExchange(server.port, [`POST /mcp HTTP/1.1\r\n${HEAD}Content-Length: 50\r\n\r\n{"jsonrpc"`], 1000)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })
})

describe("stop()", () => {
  const running = (fixture: FixtureApp) => fixture.audit.calls.length

  test("lets a call in flight finish, and takes no new connection", async () => {
    const fixture = fixtureApp()
    const server = listening(fixture)
    const call = post(`${server.url}/mcp/count_slowly`, JSON.stringify({ board: "main", steps: 1, every: 300 }))
    await Bun.sleep(50)
    const stopped = server.stop()
    await Bun.sleep(20)
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
    expect((await call).status).toBe(200)
    await stopped
    expect(running(fixture)).toBe(1)
  })

  test("a stream of progress in flight finishes as well", async () => {
    const server = listening(fixtureApp())
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "count_slowly", arguments: { board: "main", steps: 4, every: 60 }, _meta: { progressToken: 1 } } })
    const answer = await fetch(`${server.url}/mcp`, { method: "POST", headers: { ...AUTH, accept: "application/json, text/event-stream" }, body })
    const stopped = server.stop()
    expect(await answer.text()).toContain('"structuredContent":{"counted":4}')
    await stopped
  })

  test("a client that is gone ends its call, in JSON too", async () => {
    const fixture = fixtureApp()
    await using server = listening(fixture)
    const client = new AbortController()
    const gone = post(`${server.url}/mcp/count_slowly`, JSON.stringify({ board: "main", steps: 1000 }), client.signal).catch(() => null)
    await Bun.sleep(50)
    client.abort()
    await gone
    await until(() => running(fixture) === 1)
    expect(fixture.audit.calls).toMatchObject([{ success: false }])
  })
})
