import { describe, expect, test } from "bun:test"
import { ToolError } from "../../src/errors.ts"
import { createCalls } from "../../src/mcp/call.ts"
import type { Service } from "../../src/mcp/service.ts"
import type { Tool } from "../../src/mcp/tool.ts"
import { AuditLog } from "../helpers/audit-log.ts"
import { callerOf } from "../helpers/caller.ts"
import { countSlowly, failOddly, fixtureService, readNote, writeNotes } from "../helpers/fixture-service.ts"
import { LIMITS } from "../helpers/limits.ts"

const NOTE = { path: "x", text: "y" }

function setup(overrides: Partial<Service> = {}) {
  const audit = new AuditLog()
  const calls = createCalls({ audit, limits: LIMITS })
  const service = { ...fixtureService(), ...overrides }
  const caller = (name = "full", signal = new AbortController().signal) => callerOf(name, { signal })
  const call = (tool: Tool, args: unknown, by = caller()) => calls.tool(service, tool, args, by)
  const read = (uri: unknown, by = caller()) => calls.resource(service, service.resources!, uri, by)
  return { audit, call, read, caller }
}

const code = (outcome: object): string => (outcome instanceof ToolError ? outcome.code : "success")

describe("createCalls().tool", () => {
  test("gives the result as compact JSON", async () => {
    const { call } = setup()
    const answer = await call(readNote, { board: "main", path: "a.txt", from: "1" })
    expect(answer).toEqual({
      json: {
        pieces: ['{"path":"a.txt","text":"ne","from":1,"loud":false,"next":null}'],
        quoted: [String.raw`{\"path\":\"a.txt\",\"text\":\"ne\",\"from\":1,\"loud\":false,\"next\":null}`],
      },
      counters: { bytes_returned: 2 },
    })
  })

  test.each<[string, Tool, unknown, string]>([
    ["arguments before the workdir", readNote, { board: "ghost" }, "INVALID_ARGUMENTS"],
    ["arguments before access", writeNotes, { board: "ro", notes: [] }, "INVALID_ARGUMENTS"],
    ["the workdir", writeNotes, { board: "ghost", notes: [NOTE] }, "WORKDIR_NOT_FOUND"],
    ["the workdir, in its exact case", readNote, { board: "Main", path: "a.txt" }, "WORKDIR_NOT_FOUND"],
    ["access before the work", writeNotes, { board: "ro", notes: [NOTE] }, "WORKDIR_READ_ONLY"],
    ["nothing else", writeNotes, { board: "main", notes: [NOTE] }, "success"],
  ])("gates in the contract's order: %s", async (_what, tool, args, expected) => {
    const { call, audit } = setup()
    expect(code(await call(tool, args))).toBe(expected)
    expect(audit.calls.map(({ error_code }) => error_code)).toEqual([expected === "success" ? null : expected])
  })

  test("lets eight calls of a principal run processes at once, of its calls that do; another principal's have their own", async () => {
    const { call, caller } = setup()
    const { promise, resolve } = Promise.withResolvers<object>()
    let running = 0
    const slow = (spawns: boolean): Tool => ({ ...readNote, spawns, run: () => (running++, promise) })
    const args = { board: "main", path: "a.txt" }
    const all = Array.from({ length: 10 }, () => call(slow(true), args))
    await Bun.sleep(1)
    expect(running).toBe(8)
    all.push(call(slow(true), args, caller("reader")), call(slow(false), args))
    await Bun.sleep(1)
    expect(running).toBe(10)
    resolve({ path: "a.txt", text: "", from: 0, loud: false, next: null })
    expect((await Promise.all(all)).map(code)).toEqual(all.map(() => "success"))
    expect(running).toBe(12)
  })

  test("a search whose client has gone counts among those of its principal until its process has ended", async () => {
    const { call, caller } = setup()
    const ends: (() => void)[] = []
    const spawning: Tool = { ...readNote, spawns: true, counters: () => ({}), run: async (_target, _input, { begin, signal }) => {
      ends.push(begin())
      signal.throwIfAborted()
      return {}
    } }
    const args = { board: "main", path: "a.txt" }
    const client = new AbortController()
    const gone = Array.from({ length: 8 }, () => call({ ...spawning, run: async (target, input, context) => {
      client.abort()
      return spawning.run(target, input, context)
    } }, args, caller("full", client.signal)))
    expect((await Promise.all(gone)).map(code)).toEqual(gone.map(() => "RESOURCE_EXHAUSTED"))
    const started = ends.length
    const next = call(spawning, args)
    await Bun.sleep(5)
    expect(ends.length).toBe(started)
    for (const end of ends) end()
    expect(code(await next)).toBe("success")
  })

  test("a principal's rights narrow the target: WORKDIR_READ_ONLY, and WORKDIR_NOT_FOUND for what it lacks", async () => {
    const { call, caller } = setup()
    expect(code(await call(writeNotes, { board: "main", notes: [NOTE] }, caller("reader")))).toBe("WORKDIR_READ_ONLY")
    expect(code(await call(readNote, { board: "main", path: "a.txt" }, caller("narrow")))).toBe("WORKDIR_NOT_FOUND")
    expect(code(await call(readNote, { board: "ro", path: "a.txt" }, caller("narrow")))).toBe("success")
  })

  test("records one event with the subject and the counters, and nothing of the arguments besides", async () => {
    const { call, audit } = setup()
    await call(writeNotes, { board: "main", notes: [{ path: "p", text: "canary" }], path: "given" })
    expect(audit.events).toEqual([
      {
        name: "tool_call",
        keep: "kept",
        fields: {
          service: "notes",
          tool: "write_notes",
          workdir: "main",
          path: "given",
          principal: "static",
          duration_ms: expect.any(Number),
          success: true,
          error_code: null,
          returned: 1,
        },
      },
    ])
    expect(JSON.stringify(audit.events)).not.toContain("canary")
  })

  test("keeps the record of a change that was let through, and of no refusal", async () => {
    const { call, audit } = setup()
    await call(writeNotes, { board: "main", notes: [NOTE] })
    await call(writeNotes, { board: "ro", notes: [NOTE] })
    await call(readNote, { board: "main", path: "a.txt" })
    expect(audit.events.map(({ keep }) => keep)).toEqual(["kept", "droppable", "droppable"])
  })

  test("while the audit is stalled a mutation is RESOURCE_EXHAUSTED and does nothing; reads go on", async () => {
    const { call, audit } = setup()
    audit.stalled = true
    expect(code(await call(writeNotes, { board: "main", notes: [NOTE] }))).toBe("RESOURCE_EXHAUSTED")
    expect(code(await call(readNote, { board: "main", path: NOTE.path }))).toBe("PATH_NOT_FOUND")
    expect(code(await call(readNote, { board: "main", path: "a.txt" }))).toBe("success")
  })

  test("what is no ToolError becomes INTERNAL_ERROR; the detail goes to the log, without arguments", async () => {
    const { call, audit } = setup()
    const outcome = await call(failOddly, { board: "main", text: "canary" })
    expect(outcome).toMatchObject({ code: "INTERNAL_ERROR", message: expect.not.stringContaining("secret") })
    expect(audit.events.map(({ name }) => name)).toEqual(["internal_error", "tool_call"])
    expect(audit.events[0]?.fields["detail"]).toContain("a secret of the inside")
    expect(JSON.stringify(audit.events)).not.toContain("canary")
  })

  test("a service that can't even name the subject is an INTERNAL_ERROR too, recorded once", async () => {
    const { call, audit } = setup({
      subject: () => {
        throw new Error("no subject")
      },
    })
    expect(code(await call(readNote, { board: "main", path: "a.txt" }))).toBe("INTERNAL_ERROR")
    expect(audit.calls).toHaveLength(1)
  })

  test("a client that goes away ends its call, without an internal_error", async () => {
    const { call, audit, caller } = setup()
    const client = new AbortController()
    const running = call(countSlowly, { board: "main", steps: 1000 }, caller("full", client.signal))
    await Bun.sleep(10)
    client.abort()
    expect(code(await running)).toBe("RESOURCE_EXHAUSTED")
    expect(audit.events.map(({ name }) => name)).toEqual(["tool_call"])
  })

  test("gives its place back whatever happens", async () => {
    const audit = new AuditLog()
    const calls = createCalls({ audit, limits: { ...LIMITS, maxCallsInFlight: 1 } })
    const service = fixtureService()
    const caller = callerOf()
    for (let i = 0; i < 3; i++) {
      expect(code(await calls.tool(service, failOddly, { board: "main" }, caller))).toBe("INTERNAL_ERROR")
      expect(code(await calls.tool(service, readNote, {}, caller))).toBe("INVALID_ARGUMENTS")
      expect(code(await calls.tool(service, readNote, { board: "main", path: "a.txt" }, caller))).toBe("success")
    }
  })

  test("keeps its place while a lane has work with it, though its client has gone", async () => {
    const calls = createCalls({ audit: new AuditLog(), limits: { ...LIMITS, maxCallsInFlight: 1 } })
    let end = () => {}
    const tool: Tool = { ...readNote, run: async (_target, _input, { begin, signal }) => {
      end = begin()
      signal.throwIfAborted()
      return {}
    }, counters: () => ({}) }
    const args = { board: "main", path: "a.txt" }
    expect(code(await calls.tool(fixtureService(), tool, args, callerOf("full", { signal: AbortSignal.abort() })))).toBe("RESOURCE_EXHAUSTED")
    const next = calls.tool(fixtureService(), readNote, args, callerOf())
    expect(await Promise.race([next, Bun.sleep(20)])).toBeUndefined()
    end()
    expect(code(await next)).toBe("success")
  })

  test("gives the tool a deadline of the configured length from its arrival", async () => {
    const audit = new AuditLog()
    const calls = createCalls({ audit, limits: { ...LIMITS, callTimeoutMs: 1234 } })
    let left = 0
    const tool: Tool = {
      ...readNote,
      run: async (_target, _input, { deadline }) => {
        left = deadline - performance.now()
        return {}
      },
      counters: () => ({}),
    }
    await calls.tool(fixtureService(), tool, { board: "main", path: "a.txt" }, callerOf())
    expect(left).toBeGreaterThan(1000)
    expect(left).toBeLessThanOrEqual(1234)
  })
})

describe("createCalls().resource", () => {
  test("reads one whole and records it like a tool", async () => {
    const { read, audit } = setup()
    expect(await read("notes://main/sub/%C3%A9%20b.txt")).toMatchObject({ text: "two" })
    expect(audit.calls).toEqual([
      expect.objectContaining({ tool: "resources/read", workdir: "main", path: "sub/é b.txt", success: true, bytes_returned: 3 }),
    ])
  })

  test.each([
    ["notes://main/none", "PATH_NOT_FOUND"],
    ["notes://ghost/a.txt", "WORKDIR_NOT_FOUND"],
    ["file:///etc/passwd", "INVALID_ARGUMENTS"],
    ["notes://main/%", "INTERNAL_ERROR"],
    [undefined, "INVALID_ARGUMENTS"],
    [7, "INVALID_ARGUMENTS"],
  ])("%s is %s, recorded once", async (uri, expected) => {
    const { read, audit } = setup()
    expect(code(await read(uri))).toBe(expected)
    expect(audit.calls.map(({ error_code }) => error_code)).toEqual([expected])
  })
})
