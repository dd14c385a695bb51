import { describe, expect, test } from "bun:test"
import { ERRORS, ToolError } from "../../src/errors.ts"
import { fixtureApp } from "../helpers/fixture-app.ts"
import { countSlowly, fixtureService } from "../helpers/fixture-service.ts"

const post = (body: unknown, headers = {}) => ({ method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers: { "content-type": "application/json", ...headers } })
const NOTE = { board: "main", path: "a.txt" }

describe("createRest()", () => {
  test("gives the structured result that MCP gives", async () => {
    const { request, rpc } = fixtureApp()
    const answer = await request("/mcp/read_note", post({ ...NOTE, from: "1", extra: 1 }))
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"])
    const { result } = await rpc("tools/call", { name: "read_note", arguments: { ...NOTE, from: 1 } })
    expect(await answer.json()).toEqual(result?.["structuredContent"])
  })

  test.each<[number, string, string, object]>([
    [400, "INVALID_ARGUMENTS", "read_note", { board: "main" }],
    [404, "WORKDIR_NOT_FOUND", "read_note", { ...NOTE, board: "ghost" }],
    [404, "PATH_NOT_FOUND", "read_note", { ...NOTE, path: "none" }],
    [403, "WORKDIR_READ_ONLY", "write_notes", { board: "ro", notes: [{ path: "x", text: "y" }] }],
    [500, "INTERNAL_ERROR", "fail_oddly", { board: "main" }],
  ])("%d %s with {detail, code}", async (status, code, tool, args) => {
    const answer = await fixtureApp().request(`/mcp/${tool}`, post(args))
    expect([answer.status, await answer.json()]).toEqual([status, { code, detail: expect.stringMatching(new RegExp(`^${code}: .`)) }])
  })

  test.each<[string, string]>([
    ["broken JSON", '{"board": '],
    ["an array", "[]"],
    ["a string", '"board"'],
    ["null", "null"],
  ])("%s is 400 INVALID_ARGUMENTS, and recorded", async (_what, body) => {
    const { request, audit } = fixtureApp()
    const answer = await request("/mcp/read_note", post(body))
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: "INVALID_ARGUMENTS" }])
    expect(audit.calls).toMatchObject([{ tool: "read_note", success: false, error_code: "INVALID_ARGUMENTS" }])
  })

  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ["broken JSON", '{"board": '],
    ["bytes that are not UTF-8", Uint8Array.of(0x7b, 0xff, 0x7d)],
    ["JSON that is too deep", "[".repeat(30_000)],
  ])("%s is named as what it is, in the words of MCP", async (_what, body) => {
    const { request, audit } = fixtureApp()
    const init = { method: "POST", body, headers: { "content-type": "application/json" } }
    expect(await (await request("/mcp/read_note", init)).json()).toEqual({ code: "INVALID_ARGUMENTS", detail: expect.stringContaining("the body is not JSON in UTF-8, or nested too deeply") })
    expect(audit.calls).toMatchObject([{ tool: "read_note", success: false, error_code: "INVALID_ARGUMENTS" }])
    expect(await (await request("/mcp", init)).text()).toContain("the body is not JSON in UTF-8, or nested too deeply")
  })

  test.each(["/mcp", "/other"])("below %s, a tool that there is not is 404, and where the tools are listed", async (mount) => {
    const { request } = fixtureApp()
    const answer = await request(`${mount}/no_such_tool`, post({}))
    expect([answer.status, await answer.json()]).toEqual([404, { code: "not_found", detail: `there is no such tool; GET ${mount}/openapi.json lists those that there are` }])
    expect((await request(`${mount}/openapi.json`)).status).toBe(200)
  })

  test("an empty body is no arguments", async () => {
    expect((await fixtureApp().request("/mcp/do_nothing", { method: "POST" })).status).toBe(200)
  })

  test("says what a stopped operation had done, and when a refused call may be retried", async () => {
    const stopped = { ...countSlowly, name: "stop", run: () => Promise.reject(new ToolError("WORKDIR_UNAVAILABLE", { partial: { removed: 7 } })) }
    const busy = { ...countSlowly, name: "busy", run: () => Promise.reject(new ToolError("RESOURCE_EXHAUSTED", { retryAfter: 12 })) }
    const { request, audit } = fixtureApp({ services: [fixtureService({ tools: [stopped, busy] })] })
    const partial = await request("/mcp/stop", post({ board: "main" }))
    expect([partial.status, await partial.json()]).toMatchObject([503, { code: "WORKDIR_UNAVAILABLE", partial: { removed: 7 } }])
    expect(audit.calls).toMatchObject([{ tool: "stop", success: false, removed: 7 }])
    const refused = await request("/mcp/busy", post({ board: "main" }))
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "12"])
  })

  test("a service's own statuses win", async () => {
    const service = { ...fixtureService(), statusOf: (code: keyof typeof ERRORS) => (code === "PATH_NOT_FOUND" ? 410 : ERRORS[code].status) }
    expect((await fixtureApp({ services: [service] }).request("/mcp/read_note", post({ ...NOTE, path: "none" }))).status).toBe(410)
  })

  test("needs the same credential, and keeps to the same rights", async () => {
    const { request } = fixtureApp()
    const as = (token: string) => ({ authorization: token === "" ? "" : `Bearer ${token}` })
    expect((await request("/mcp/read_note", post(NOTE, as("")))).status).toBe(401)
    expect((await request("/mcp/read_note", post(NOTE, as("elsewhere")))).status).toBe(403)
    expect((await request("/mcp/read_note", post(NOTE, as("narrow")))).status).toBe(404)
    expect((await request("/mcp/write_notes", post({ board: "main", notes: [{ path: "x", text: "y" }] }, as("reader")))).status).toBe(403)
  })

  test("only POST works on a tool", async () => {
    const answer = await fixtureApp().request("/mcp/read_note")
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"])
  })

  test("a tool of another service is unknown here", async () => {
    const { request } = fixtureApp({ services: [fixtureService(), fixtureService({ mount: "/other", name: "other", tools: [countSlowly] })] })
    expect((await request("/other/read_note", post(NOTE))).status).toBe(404)
  })
})
