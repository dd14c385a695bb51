import { describe, expect, test } from "bun:test"
import { eventsOf } from "../helpers/event-stream.ts"
import { type FixtureApp, fixtureApp, listening } from "../helpers/fixture-app.ts"

const VERSION = "2026-07-28"
const META = { "io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {} }
const NAMED: Readonly<Record<string, string>> = { "tools/call": "name", "resources/read": "uri" }

interface Overrides {
  readonly headers?: Record<string, string>
  readonly meta?: object
  readonly path?: string
}

/** A request of this revision, its headers and envelope as they should be unless overridden; "" leaves a header out. */
async function ask({ request }: FixtureApp, method: string, params: Record<string, unknown> = {}, { headers = {}, meta = META, path = "/mcp" }: Overrides = {}) {
  const name = params[NAMED[method] ?? ""]
  const answer = await request(path, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 5, method, params: { ...params, _meta: meta } }),
  })
  const text = await answer.text()
  const streamed = answer.headers.get("content-type") === "text/event-stream"
  return { status: answer.status, streamed, events: streamed ? eventsOf(text) : [], body: streamed ? {} : (JSON.parse(text) as Record<string, any>) }
}

const CALL = { name: "read_note", arguments: { board: "main", path: "a.txt" } }

describe("createModern()", () => {
  test("server/discover names the revision, the capabilities and the server, without a handshake", async () => {
    const { status, body } = await ask(fixtureApp(), "server/discover")
    expect(status).toBe(200)
    expect(body["result"]).toMatchObject({
      supportedVersions: [VERSION],
      capabilities: { tools: {}, resources: {} },
      instructions: "Boards with notes.",
      resultType: "complete",
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "notes", title: "Notes", version: "1.2.3" } },
    })
  })

  test("lists say how long they may be kept, privately, and agree with the older revisions", async () => {
    const fixture = fixtureApp()
    const { result } = (await ask(fixture, "tools/list")).body
    expect(result).toMatchObject({ resultType: "complete", ttlMs: 60_000, cacheScope: "private" })
    expect(result.tools).toEqual((await fixture.rpc("tools/list")).result?.["tools"])
    expect((await ask(fixture, "resources/templates/list")).body["result"].resourceTemplates).toHaveLength(1)
  })

  test("a member that asks for a task is unknown here, and ignored", async () => {
    const fixture = fixtureApp()
    const { status, body } = await ask(fixture, "tools/call", { ...CALL, task: { ttl: 1000 } })
    expect([status, body["result"]]).toEqual([200, (await ask(fixture, "tools/call", CALL)).body["result"]])
    expect(fixture.audit.calls).toHaveLength(2)
  })

  test("what is read may not be kept", async () => {
    const { result } = (await ask(fixtureApp(), "resources/read", { uri: "notes://main/a.txt" })).body
    expect(result).toMatchObject({ contents: [{ text: "one" }], ttlMs: 0, cacheScope: "private" })
  })

  test("calls, refusals and unknown names are as in the older revisions", async () => {
    const fixture = fixtureApp()
    expect((await ask(fixture, "tools/call", CALL)).body["result"]).toMatchObject({ resultType: "complete", structuredContent: { text: "one" } })
    expect((await ask(fixture, "tools/call", { name: "read_note", arguments: {} })).body["result"]).toMatchObject({
      isError: true,
      content: [{ text: "INVALID_ARGUMENTS: board is required" }],
    })
    expect((await ask(fixture, "tools/call", { name: "nope" })).body["error"]).toMatchObject({ code: -32602 })
    expect((await ask(fixture, "resources/read", { uri: "notes://ghost/a" })).body["error"]).toMatchObject({ code: -32602, data: { code: "WORKDIR_NOT_FOUND" } })
    expect(fixture.audit.calls).toHaveLength(3)
  })

  test("mutation tools are hidden from a principal that can write nowhere", async () => {
    const { result } = (await ask(fixtureApp(), "tools/list", {}, { headers: { authorization: "Bearer reader" } })).body
    expect(result.tools.map(({ name }: { name: string }) => name)).not.toContain("write_notes")
  })

  test.each(["no/such/method", "prompts/list", "ping", "logging/setLevel"])("%s is 404 with -32601", async (method) => {
    const { status, body } = await ask(fixtureApp(), method)
    expect([status, body["error"].code]).toEqual([404, -32601])
  })

  test.each<[string, Record<string, string>]>([
    ["another method", { "mcp-method": "tools/list" }],
    ["no method", { "mcp-method": "" }],
    ["another name", { "mcp-name": "write_notes" }],
    ["no name", { "mcp-name": "" }],
    ["no version", { "mcp-protocol-version": "" }],
  ])("headers that name %s are 400 with -32020, and nothing is called", async (_what, headers) => {
    const fixture = fixtureApp()
    const { status, body } = await ask(fixture, "tools/call", CALL, { headers })
    expect([status, body["error"].code]).toEqual([400, -32020])
    expect(fixture.audit.calls).toEqual([])
  })

  test("a revision that nobody has is 400 with -32022 and the ones we have", async () => {
    const { status, body } = await ask(fixtureApp(), "tools/list", {}, {
      headers: { "mcp-protocol-version": "2031-01-01" },
      meta: { ...META, "io.modelcontextprotocol/protocolVersion": "2031-01-01" },
    })
    expect([status, body["error"].code, body["error"].data.supported]).toEqual([400, -32022, [VERSION]])
  })

  test("an envelope without capabilities is refused with -32602", async () => {
    const { body } = await ask(fixtureApp(), "tools/list", {}, { meta: { "io.modelcontextprotocol/protocolVersion": VERSION } })
    expect(body["error"].code).toBe(-32602)
  })

  test.each(["application/json", "*/*", ""])("Accept %p gets JSON, also when progress is asked for", async (accept) => {
    const args = { name: "count_slowly", arguments: { board: "main", steps: 3, every: 1 } }
    const { status, body } = await ask(fixtureApp(), "tools/call", args, { meta: { ...META, progressToken: "t" }, headers: { accept } })
    expect(status).toBe(200)
    expect(body["result"]).toMatchObject({ resultType: "complete" })
  })

  test("progress that is asked for comes as a stream; without any report it is plain JSON", async () => {
    const args = { name: "count_slowly", arguments: { board: "main", every: 45 } }
    const { streamed, events } = await ask(fixtureApp(), "tools/call", args, { meta: { ...META, progressToken: "t" }, headers: { accept: "application/json, text/event-stream" } })
    expect(streamed).toBe(true)
    expect(events.slice(0, -1)).toMatchObject([1, 2, 3].map((progress) => ({ method: "notifications/progress", params: { progressToken: "t", progress } })))
    expect(events.at(-1)).toMatchObject({ id: 5, result: { structuredContent: { counted: 3 } } })
    expect((await ask(fixtureApp(), "tools/call", args)).streamed).toBe(false)
  })

  test("subscriptions/listen is acknowledged and, since nothing here ever changes, ended", async () => {
    const { streamed, events } = await ask(fixtureApp(), "subscriptions/listen", { notifications: { toolsListChanged: true } })
    expect(streamed).toBe(true)
    expect(events).toMatchObject([{ method: "notifications/subscriptions/acknowledged", params: { notifications: {} } }, { id: 5, result: { resultType: "complete" } }])
  })

  test("a client that hangs up ends the call", async () => {
    const fixture = fixtureApp()
    await using server = listening(fixture)
    const client = new AbortController()
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "count_slowly", arguments: { board: "main", steps: 1000 }, _meta: META } }
    const running = fetch(`${server.url}/mcp`, {
      method: "POST",
      signal: client.signal,
      headers: { "content-type": "application/json", authorization: "Bearer full", "mcp-protocol-version": VERSION, "mcp-method": "tools/call", "mcp-name": "count_slowly" },
      body: JSON.stringify(body),
    }).catch(() => null)
    await Bun.sleep(300)
    client.abort()
    await running
    for (let i = 0; i < 500 && fixture.audit.calls.length === 0; i++) await Bun.sleep(10)
    expect(fixture.audit.calls).toMatchObject([{ tool: "count_slowly", success: false }])
  })

  test("speaks on every mount", async () => {
    const { body } = await ask(fixtureApp(), "tools/call", { name: "do_nothing", arguments: {} }, { path: "/other" })
    expect(body["result"].structuredContent).toEqual({ text: "" })
  })
})
