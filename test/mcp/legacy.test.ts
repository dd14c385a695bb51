import { describe, expect, test } from "bun:test"
import { eventsOf } from "../helpers/event-stream.ts"
import { fixtureApp, type FixtureApp, listening } from "../helpers/fixture-app.ts"

const JSON_TYPE = { "content-type": "application/json" }
const CALL = { name: "read_note", arguments: { board: "main", path: "a.txt" } }

function post({ request }: FixtureApp, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return request("/mcp", { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } })
}

const message = (id: number, method = "ping", params = {}) => ({ jsonrpc: "2.0", id, method, params })

describe("createLegacy()", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("speaks %s and names itself", async (protocolVersion) => {
    const { result } = await fixtureApp().rpc("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } })
    expect(result).toEqual({
      protocolVersion,
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: "notes", title: "Notes", version: "1.2.3" },
      instructions: "Boards with notes.",
    })
  })

  test("answers an unknown revision with the newest it knows", async () => {
    const { result } = await fixtureApp().rpc("initialize", { protocolVersion: "2099-01-01", capabilities: {}, clientInfo: { name: "c", version: "1" } })
    expect(result?.["protocolVersion"]).toBe("2025-11-25")
  })

  test("a service without resources does not declare them", async () => {
    const { request } = fixtureApp()
    const init = message(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } })
    const answer = await request("/other", { method: "POST", headers: JSON_TYPE, body: JSON.stringify(init) })
    expect(((await answer.json()) as { result: { capabilities: object } }).result.capabilities).toEqual({ tools: {} })
    const list = await request("/other", { method: "POST", headers: JSON_TYPE, body: JSON.stringify(message(1, "resources/list")) })
    expect(await list.json()).toMatchObject({ error: { code: -32601 } })
  })

  test("a success is structured content and one text block with the same as compact JSON", async () => {
    const { result } = await fixtureApp().rpc("tools/call", CALL)
    const value = { path: "a.txt", text: "one", from: 0, loud: false, next: null }
    expect(result).toEqual({ content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value })
  })

  test("a refusal is one text block with the code first, and nothing structured", async () => {
    const { result } = await fixtureApp().rpc("tools/call", { name: "read_note", arguments: { board: "main", path: "none" } })
    expect(result).toEqual({ content: [{ type: "text", text: expect.stringMatching(/^PATH_NOT_FOUND: 'none'/) }], isError: true })
  })

  test.each<[string, object, number]>([
    ["initialize", {}, -32602],
    ["initialize", { protocolVersion: 5, capabilities: {}, clientInfo: { name: "c", version: "1" } }, -32602],
    ["tools/call", { name: "no_such_tool" }, -32602],
    ["tools/call", {}, -32602],
    ["tools/call", { name: 7 }, -32602],
    ["resources/read", {}, -32602],
    ["resources/read", { uri: "notes://main/none" }, -32602],
    ["resources/read", { uri: "notes://main/%" }, -32603],
    ["prompts/list", {}, -32601],
    ["no/such/method", {}, -32601],
  ])("%s %j is JSON-RPC error %d", async (method, params, code) => {
    expect((await fixtureApp().rpc(method, params)).error?.code).toBe(code)
  })

  test("a resource's error starts with its code; data repeats it and the URI", async () => {
    const { error } = await fixtureApp().rpc("resources/read", { uri: "notes://main/none" })
    expect(error?.message).toMatch(/^PATH_NOT_FOUND: /)
    expect(error?.data).toEqual({ code: "PATH_NOT_FOUND", uri: "notes://main/none" })
  })

  test("lists one template and no resources", async () => {
    const { rpc } = fixtureApp()
    expect((await rpc("resources/list")).result).toEqual({ resources: [] })
    expect((await rpc("resources/templates/list")).result).toEqual({
      resourceTemplates: [{ uriTemplate: "notes://{board}/{+path}", name: "note", description: "One note, whole.", mimeType: "text/plain" }],
    })
    expect((await rpc("resources/read", { uri: "notes://main/a.txt" })).result).toEqual({
      contents: [{ uri: "notes://main/a.txt", mimeType: "text/plain", text: "one" }],
    })
  })

  test("mutation tools are not shown to a principal that can write nowhere, and are still gated when called", async () => {
    const { rpc } = fixtureApp()
    const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    const names = async (token: string) => {
      const { result = {} } = await rpc("tools/list", {}, as(token))
      return (result["tools"] as { name: string }[]).map(({ name }) => name)
    }
    expect(await names("full")).toContain("write_notes")
    expect(await names("reader")).not.toContain("write_notes")
    const { result } = await rpc("tools/call", { name: "write_notes", arguments: { board: "main", notes: [{ path: "x", text: "y" }] } }, as("reader"))
    expect(JSON.stringify(result)).toContain("WORKDIR_READ_ONLY")
  })

  test.each(["*/*", "application/json", "text/event-stream", "text/html", "application/json;q=0.9", ""])("Accept %p gets JSON", async (accept) => {
    const answer = await post(fixtureApp(), message(1, "tools/call", CALL), { accept })
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"])
  })

  test.each(["application/json, text/event-stream", "application/json"])("answers whatever stands in the request's URL (Accept %p)", async (accept) => {
    const { app, audit } = fixtureApp()
    const headers = { ...JSON_TYPE, accept, host: "localhost", authorization: "Bearer full" }
    const request = new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(message(1)) })
    const answer = await app.fetch(Object.defineProperty(request, "url", { value: "http://localhost:99999/mcp" }))
    expect([answer.status, await answer.json()]).toEqual([200, { jsonrpc: "2.0", id: 1, result: {} }])
    expect(audit.events).toEqual([])
  })

  test("a call that asks for a task is answered as any other, and audited", async () => {
    const { rpc, audit } = fixtureApp()
    const { result } = await rpc("tools/call", { ...CALL, task: { ttl: 1000 } })
    expect(result).toEqual((await rpc("tools/call", CALL)).result)
    expect(audit.calls).toMatchObject([{ tool: "read_note", success: true }, { tool: "read_note", success: true }])
    expect((await rpc("tools/list", { task: {} })).error).toBeUndefined()
  })

  test("a stale session id is ignored, and none is given", async () => {
    const answer = await post(fixtureApp(), message(1, "tools/list"), { "mcp-session-id": "0".repeat(32) })
    expect([answer.status, answer.headers.get("mcp-session-id")]).toEqual([200, null])
  })

  test("notifications and responses are 202 without a body", async () => {
    const app = fixtureApp()
    for (const body of [{ jsonrpc: "2.0", method: "notifications/initialized" }, { jsonrpc: "2.0", id: 1, result: {} }]) {
      const answer = await post(app, body)
      expect([answer.status, await answer.text()]).toEqual([202, ""])
    }
  })

  test.each([["{broken"], [""], ["\u0000"]])("%j is 400 with a JSON-RPC parse error", async (body) => {
    const answer = await post(fixtureApp(), body)
    expect([answer.status, await answer.json()]).toEqual([400, { jsonrpc: "2.0", error: { code: -32700, message: expect.any(String) }, id: null }])
  })

  test.each([[null], [1], ["x"], [{}], [{ jsonrpc: "1.0", id: 1, method: "ping" }], [{ jsonrpc: "2.0", id: {}, method: "ping" }]])(
    "%j is no JSON-RPC message: 400 with a JSON-RPC error",
    async (body) => {
      const answer = await post(fixtureApp(), JSON.stringify(body))
      expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error: expect.objectContaining({ code: expect.any(Number) }) })])
    },
  )

  test("another media type is 415", async () => {
    expect((await post(fixtureApp(), message(1), { "content-type": "text/plain" })).status).toBe(415)
  })

  test("a version header that no revision has is 400", async () => {
    expect((await post(fixtureApp(), message(1), { "mcp-protocol-version": "2099-01-01" })).status).toBe(400)
  })

  test("colliding request ids of concurrent clients never mix answers", async () => {
    const { rpc } = fixtureApp()
    const sizes = Array.from({ length: 50 }, (_, i) => i)
    const answers = await Promise.all(sizes.map((size) => rpc("tools/call", { name: "do_nothing", arguments: { size } })))
    expect(answers.map(({ result = {} }) => (result["structuredContent"] as { text: string }).text.length)).toEqual(sizes)
  })
})

describe("batches", () => {
  const batch = (length: number) => Array.from({ length }, (_, i) => message(i, "ping"))

  test.each([undefined, "2025-03-26", "2024-11-05"])("up to 20 messages are answered where the revision has batches (%p)", async (version) => {
    const answer = await post(fixtureApp(), batch(20), version === undefined ? {} : { "mcp-protocol-version": version })
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as { id: number }[]).map(({ id }) => id)).toEqual(batch(20).map(({ id }) => id))
  })

  test("a batch of one answer is answered with an array of one", async () => {
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" }
    for (const body of [batch(1), [notification, ...batch(1)]]) {
      const answer = await post(fixtureApp(), body)
      expect(answer.headers.get("content-type")).toBe("application/json")
      expect(await answer.json()).toEqual([{ jsonrpc: "2.0", id: 0, result: {} }])
    }
    expect((await post(fixtureApp(), [notification])).status).toBe(202)
  })

  test("a batch with an id twice is -32600, and nothing of it is done", async () => {
    const fixture = fixtureApp()
    const answer = await post(fixture, [message(1, "tools/call", CALL), message(2), message(1, "tools/call", CALL)])
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32600, message: expect.stringContaining("the same id") } }])
    expect(fixture.audit.calls).toEqual([])
    const mixed = await post(fixture, [message(1), { jsonrpc: "2.0", id: 1, result: {} }, message(2)])
    expect(mixed.status).toBe(200)
  })

  test("each call of a batch is audited", async () => {
    const app = fixtureApp()
    await post(app, [message(1, "tools/call", CALL), message(2, "tools/call", CALL)])
    expect(app.audit.calls).toHaveLength(2)
  })

  test("the body of a batch counts once in the bytes of a minute", async () => {
    const calls = Array.from({ length: 20 }, (_, id) => message(id, "tools/call", { name: "do_nothing", arguments: { ignored: "x".repeat(100) } }))
    const fixture = fixtureApp({ limits: { bytesPerMinute: 2 * JSON.stringify(calls).length } })
    expect(await (await post(fixture, calls)).text()).not.toContain("RESOURCE_EXHAUSTED")
    expect(await (await post(fixture, calls)).text()).toContain("RESOURCE_EXHAUSTED")
  })

  test.each([0, 21, 100_000])("%d messages are 400 with -32600", async (length) => {
    const answer = await post(fixtureApp(), batch(length))
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32600 } }])
  })

  test.each(["2025-06-18", "2025-11-25", "2026-07-28"])("a batch is 400 with -32600 in %s, which has none", async (version) => {
    const answer = await post(fixtureApp(), batch(2), { "mcp-protocol-version": version })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32600 } }])
  })
})

describe("progress", () => {
  const slow = (meta: object, args = {}) => message(9, "tools/call", { name: "count_slowly", arguments: { board: "main", every: 45, ...args }, _meta: meta })

  test("a call that asks for it is answered as a stream that no proxy keeps back: notices, then the result", async () => {
    const answer = await post(fixtureApp(), slow({ progressToken: "t" }), { accept: "application/json, text/event-stream" })
    expect(answer.headers.get("content-type")).toBe("text/event-stream")
    expect(answer.headers.get("cache-control")).toBe("no-cache, no-transform")
    expect(answer.headers.get("x-accel-buffering")).toBe("no")
    const events = eventsOf(await answer.text())
    expect(events.slice(0, -1)).toEqual([1, 2, 3].map((progress) => ({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: "t", progress, total: 3 } })))
    expect(events.at(-1)).toMatchObject({ id: 9, result: { structuredContent: { counted: 3 } } })
  })

  test.each<[string, object, string]>([
    ["nothing was asked for", {}, "application/json, text/event-stream"],
    ["the client takes no stream", { progressToken: 1 }, "application/json"],
  ])("JSON when %s", async (_why, meta, accept) => {
    const answer = await post(fixtureApp(), slow(meta), { accept })
    expect(answer.headers.get("content-type")).toBe("application/json")
  })

  test("JSON from a tool that reports none", async () => {
    const answer = await post(fixtureApp(), message(1, "tools/call", { ...CALL, _meta: { progressToken: 1 } }), { accept: "application/json, text/event-stream" })
    expect(answer.headers.get("content-type")).toBe("application/json")
  })

  test("a client that hangs up in mid-stream ends the call, and nothing is left unhandled", async () => {
    const fixture = fixtureApp()
    await using server = listening(fixture)
    const client = new AbortController()
    const answer = await fetch(`${server.url}/mcp`, {
      method: "POST",
      signal: client.signal,
      headers: { ...JSON_TYPE, authorization: "Bearer full", accept: "application/json, text/event-stream" },
      body: JSON.stringify(slow({ progressToken: 1 }, { steps: 1000, every: 5 })),
    })
    await answer.body?.getReader().read()
    client.abort()
    for (let i = 0; i < 100 && fixture.audit.calls.length === 0; i++) await Bun.sleep(10)
    expect(fixture.audit.calls).toMatchObject([{ tool: "count_slowly", success: false }])
    expect(fixture.audit.events.filter(({ name }) => name === "internal_error")).toEqual([])
  })
})
