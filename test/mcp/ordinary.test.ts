import { describe, expect, test } from "bun:test"
import type { Audit } from "../../src/audit/audit.ts"
import { createCalls } from "../../src/mcp/call.ts"
import { Cancellations } from "../../src/mcp/cancellation.ts"
import { Envelopes } from "../../src/mcp/envelopes.ts"
import { createLegacy } from "../../src/mcp/legacy.ts"
import { createMethods } from "../../src/mcp/methods.ts"
import { createModern } from "../../src/mcp/modern.ts"
import { createOrdinary } from "../../src/mcp/ordinary.ts"
import { AuditLog } from "../helpers/audit-log.ts"
import { callerOf } from "../helpers/caller.ts"
import { fixtureService } from "../helpers/fixture-service.ts"
import { LIMITS } from "../helpers/limits.ts"

const MODERN = "2026-07-28"
const ENVELOPE = { "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {} }
const CALL = { name: "read_note", arguments: { board: "main", path: "a.txt" } }

type Headers = Record<string, string>

function setup(audit: Audit = new AuditLog()) {
  const service = fixtureService()
  const calls = createCalls({ audit, limits: LIMITS })
  const methods = createMethods(service, calls)
  const cancellations = new Cancellations()
  const envelopes = new Envelopes()
  const modern = createModern(service, methods, "1.2.3", envelopes)
  return {
    ordinary: createOrdinary({ service, methods, calls, cancellations, envelopes, version: "1.2.3" }),
    /** What the SDK of each era says. */
    judges: { legacy: createLegacy(service, methods, "1.2.3", cancellations), modern: modern.serve },
  }
}

function post(headers: Headers): Request {
  return new Request("http://localhost/mcp", { method: "POST", headers: { accept: "application/json", "content-type": "application/json", ...headers } })
}

const legacy = (params: object, more: object = {}) => ({ jsonrpc: "2.0", id: 7, method: "tools/call", params, ...more })
const modern = (params: object, meta: object = {}, more: object = {}) => legacy({ ...params, _meta: { ...ENVELOPE, ...meta } }, more)
const named = (name = CALL.name): Headers => ({ "mcp-protocol-version": MODERN, "mcp-method": "tools/call", "mcp-name": name })

async function told(response: Response | null) {
  return response === null ? null : { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
}

const OUTCOMES: readonly [string, { readonly name: string; readonly arguments?: object }][] = [
  ["a success", CALL],
  ["a refusal", { name: "read_note", arguments: { board: "main", path: 'no "such"\n\u2028 thing' } }],
  ["arguments that are not valid", { name: "read_note", arguments: { board: 1 } }],
  ["no arguments", { name: "do_nothing" }],
  ["a large answer", { name: "do_nothing", arguments: { size: 100_000 } }],
  ["a change", { name: "write_notes", arguments: { board: "main", notes: [{ path: "é\ud83d\ude00", text: "\ud800" }] } }],
  ["a refused change", { name: "write_notes", arguments: { board: "ro", notes: [{ path: "a", text: "b" }] } }],
  ["a fault of ours", { name: "fail_oddly", arguments: { board: "main" } }],
  ["progress that nobody asked for", { name: "count_slowly", arguments: { board: "main" } }],
]

describe("createOrdinary()", () => {
  test.each(OUTCOMES)("answers %s byte for byte as the SDK of an older revision does", async (_, params) => {
    const { ordinary, judges } = setup()
    const bodies: [unknown, Headers][] = [
      [legacy(params), {}],
      [legacy(params, { id: "é\"" }), { "mcp-protocol-version": "2025-11-25" }],
      [legacy({ ...params, _meta: {} }, { id: -1 }), { "mcp-protocol-version": "2024-11-05", "mcp-session-id": "s" }],
      [legacy({ ...params, _meta: { "claudecode/toolUseId": "t" } }), { "content-type": "application/json; charset=utf-8" }],
    ]
    for (const [body, headers] of bodies) {
      const answer = await told(await ordinary(post(headers), body, callerOf()))
      expect(answer).not.toBeNull()
      expect(answer).toEqual(await told(await judges.legacy(post(headers), body, callerOf())))
    }
  })

  test.each(OUTCOMES)("answers %s byte for byte as the SDK of 2026-07-28 does", async (_, params) => {
    const { ordinary, judges } = setup()
    for (const [body, headers] of [[modern(params), {}], [modern(params, { traceparent: "t", other: 1 }, { id: "x" }), {}]] as const) {
      const request = () => post({ ...named(params.name), ...headers })
      const judged = await told(await judges.modern(request(), body, callerOf()))
      expect(await told(await ordinary(request(), body, callerOf()))).toEqual(judged)
    }
  })

  test("a progress token changes nothing where there is no progress to tell", async () => {
    const { ordinary, judges } = setup()
    const body = legacy({ ...CALL, _meta: { progressToken: 3 } })
    const answer = await told(await ordinary(post({}), body, callerOf()))
    expect(answer).toEqual(await told(await judges.legacy(post({}), body, callerOf())))
    await judges.modern(post(named()), modern(CALL), callerOf())
    expect(await ordinary(post(named()), modern(CALL, { progressToken: "p" }), callerOf())).not.toBeNull()
  })

  test.each(["", "*/*", "text/event-stream", "text/html"])("an Accept of %j changes nothing, as with the SDKs", async (accept) => {
    const { ordinary, judges } = setup()
    const older = await told(await judges.legacy(post({ accept }), legacy(CALL), callerOf()))
    const newer = await told(await judges.modern(post({ ...named(), accept }), modern(CALL), callerOf()))
    expect(await told(await ordinary(post({ accept }), legacy(CALL), callerOf()))).toEqual(older)
    expect(await told(await ordinary(post({ ...named(), accept }), modern(CALL), callerOf()))).toEqual(newer)
  })

  test("an envelope is the SDK's to judge until it has accepted the same, to the letter", async () => {
    const { ordinary, judges } = setup()
    const client = (name: string) => modern(CALL, { "io.modelcontextprotocol/clientInfo": { name, version: "1" } })
    expect(ordinary(post(named()), client("a"), callerOf())).toBeNull()
    await judges.modern(post(named()), client("a"), callerOf())
    expect(await ordinary(post(named()), client("a"), callerOf())).not.toBeNull()
    expect(ordinary(post(named()), client("b"), callerOf())).toBeNull()
    const bad = modern(CALL, { "io.modelcontextprotocol/clientInfo": 5 })
    await judges.modern(post(named()), bad, callerOf())
    expect(ordinary(post(named()), bad, callerOf())).toBeNull()
  })

  test.each<[string, unknown, Headers?]>([
    ["a batch", [legacy(CALL)]],
    ["a notification", { jsonrpc: "2.0", method: "tools/call", params: CALL }],
    ["no object", "tools/call"],
    ["null", null],
    ["another method", { ...legacy({}), method: "tools/list" }],
    ["another version of JSON-RPC", legacy(CALL, { jsonrpc: "1.0" })],
    ["an id of null", legacy(CALL, { id: null })],
    ["an id with a fraction", legacy(CALL, { id: 1.5 })],
    ["an id beyond exact integers", legacy(CALL, { id: 2 ** 53 })],
    ["a member too many", legacy(CALL, { extra: 1 })],
    ["a parameter too many", legacy({ ...CALL, task: {} })],
    ["parameters that are a list", legacy([CALL])],
    ["a tool that there is not", legacy({ name: "no_such_tool" })],
    ["a name of another type", legacy({ name: 1 })],
    ["arguments of null", legacy({ name: CALL.name, arguments: null })],
    ["arguments that are a list", legacy({ name: CALL.name, arguments: [] })],
    ["metadata that is a list", legacy({ ...CALL, _meta: [] })],
    ["metadata of the protocol's own", legacy({ ...CALL, _meta: { "io.modelcontextprotocol/related-task": { taskId: "t" } } })],
    ["a progress token with a fraction", legacy({ ...CALL, _meta: { progressToken: 1.5 } })],
    ["a progress token of null", legacy({ ...CALL, _meta: { progressToken: null } })],
    ["progress that could be told", legacy({ name: "count_slowly", arguments: { board: "main" }, _meta: { progressToken: 1 } })],
    ["a body that is not said to be JSON", legacy(CALL), { "content-type": "text/plain" }],
    ["JSON in another charset", legacy(CALL), { "content-type": "application/json; charset=latin1" }],
    ["a revision that there is not", legacy(CALL), { "mcp-protocol-version": "2099-01-01" }],
    ["a newer revision without its envelope", legacy(CALL), named()],
    ["an envelope without its revision", modern(CALL)],
    ["an envelope under an older revision", modern(CALL), { ...named(), "mcp-protocol-version": "2025-11-25" }],
    ["an envelope of another revision", modern(CALL, { "io.modelcontextprotocol/protocolVersion": "2099-01-01" }), named()],
    ["headers that name another method", modern(CALL), { ...named(), "mcp-method": "tools/list" }],
    ["headers that name another tool", modern(CALL), named("do_nothing")],
    ["headers that name no tool", modern(CALL), { "mcp-protocol-version": MODERN, "mcp-method": "tools/call" }],
  ])("leaves %s to the SDKs, and does nothing itself", async (_, body, headers = {}) => {
    const audit = new AuditLog()
    const { ordinary, judges } = setup(audit)
    await judges.modern(post(named()), modern(CALL), callerOf())
    const before = audit.events.length
    expect(ordinary(post(headers), body, callerOf())).toBeNull()
    expect(audit.events.length).toBe(before)
  })
})
