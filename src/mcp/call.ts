/** The one path of every call, whatever the channel: limits, arguments, access, the work itself, one audit event. */
import type { Audit, Keep } from "../audit/audit.ts"
import type { Limits } from "../config/config.ts"
import { ToolError } from "../errors.ts"
import { type Json, jsonOf } from "../json-text.ts"
import type { Principal } from "../principal.ts"
import { CallGate, type CallLimits, type Uncounted } from "./call-gate.ts"
import type { Unsent } from "./json-response.ts"
import { type Begin, Place } from "./place.ts"
import type { CallContext, ResourceChannel, ResourceText, Service, Subject } from "./service.ts"
import { tethered } from "./tether.ts"
import type { Tool } from "./tool.ts"

/** Who calls, and how. */
export interface Caller {
  readonly principal: Principal
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
  readonly size: Uncounted
  readonly progress?: CallContext["progress"]
  /** Counts what its client has yet to fetch. */
  readonly unsent: Unsent
  /** Whether the credential is still good: asked by what may run on past the deadline. */
  entitled(): boolean
}

/** What a call of a tool gave. */
export interface Answer {
  /** Compact; what every channel sends. */
  readonly json: Json
  /** What the audit may know of it. */
  readonly counters: Readonly<Record<string, unknown>>
}

/** Neither function rejects: a refusal of any kind is the ToolError. */
export interface Calls {
  tool(service: Service, tool: Tool, args: unknown, caller: Caller): Promise<Answer | ToolError>
  /** Reads one resource whole; in all else like tool(). */
  resource(service: Service, channel: ResourceChannel, uri: unknown, caller: Caller): Promise<ResourceText | ToolError>
}

export interface CallOptions {
  readonly audit: Audit
  readonly limits: CallLimits & Pick<Limits, "callTimeoutMs">
}

/** What the audit says a call was about, and the call itself. */
interface Prepared<T> {
  readonly subject: Subject
  run(context: CallContext, record: CallRecord): Promise<T>
  /** What is sent of it. */
  sent(outcome: T): readonly string[]
}

interface Counted {
  readonly counters: Readonly<Record<string, unknown>>
}

interface CallRecord {
  /** Becomes "kept" once the call is let through to change something. */
  keep: Keep
}

interface Named extends Subject {
  readonly service: string
  readonly tool: string
}

/** Of one principal at once: 40 searches made every other call wait for tens of seconds on two cores, 12 did no harm (measured). */
export const MAX_PROCESSES = 8

export function createCalls({ audit, limits }: CallOptions): Calls {
  const gate = new CallGate(limits)
  const processes = new CallGate({ maxCallsInFlight: MAX_PROCESSES, callsPerMinute: null, bytesPerMinute: null })

  async function watched<T extends Counted>(service: Service, tool: string, caller: Caller, prepare: () => Prepared<T>): Promise<T | ToolError> {
    const start = performance.now()
    const { subject, run, sent } = prepared(prepare)
    const named: Named = { service: service.name, tool, ...subject }
    const record: CallRecord = { keep: "droppable" }
    const outcome = await admitted(named, caller, start + limits.callTimeoutMs, (context) => run(context, record), sent)
    const refused = outcome instanceof ToolError
    const fields = {
      ...named,
      principal: caller.principal.name,
      duration_ms: Math.round((performance.now() - start) * 100) / 100,
      success: !refused,
      error_code: refused ? outcome.code : null,
      ...(refused ? outcome.about.partial : outcome.counters),
    }
    audit.event("tool_call", fields, "INFO", record.keep)
    return outcome
  }

  async function admitted<T>(named: Named, caller: Caller, deadline: number, run: (context: CallContext) => Promise<T>, sent: Prepared<T>["sent"]) {
    const { principal, signal, progress, size } = caller
    try {
      const turn = gate.enter(principal.name, size, deadline, signal)
      if (turn !== undefined) await turn
    } catch (thrown) {
      return refusal(thrown, named, signal)
    }
    let answer: readonly string[] = []
    const place = new Place(() => gate.leave(principal.name, answer))
    const context = tethered({ principal, signal, deadline, progress, begin: place.begin }, () => caller.entitled())
    try {
      const outcome = await run(context)
      answer = sent(outcome)
      return outcome
    } catch (thrown) {
      return refusal(thrown, named, context.signal)
    } finally {
      place.end()
    }
  }

  /** Whatever a call throws once its client has gone is no fault of the server. */
  function refusal(thrown: unknown, named: Named, signal: AbortSignal): ToolError {
    if (signal.reason instanceof ToolError) return signal.reason.ending(thrown)
    if (thrown instanceof ToolError) return thrown
    if (signal.aborted) return new ToolError("RESOURCE_EXHAUSTED", { detail: "the caller went away", advice: "" })
    audit.event("internal_error", { ...named, detail: thrown instanceof Error ? thrown.stack : String(thrown) }, "ERROR")
    return new ToolError("INTERNAL_ERROR")
  }

  /** Gates in the contract's order: arguments, workdir, access, and an audit that can record the change. */
  async function runTool(service: Service, tool: Tool, args: unknown, context: CallContext, record: CallRecord): Promise<Answer> {
    const input = tool.parse(args)
    const target = service.resolve(input, context.principal)
    if (tool.access === "write") {
      if (target.access !== "read-write") throw new ToolError("WORKDIR_READ_ONLY", { path: service.subject({ ...input }).workdir })
      if (audit.stalled) throw new ToolError("RESOURCE_EXHAUSTED", { detail: "the audit can't be written, and no change goes unrecorded" })
      record.keep = "kept"
    }
    const value = tool.spawns ? await inTurn((within) => tool.run(target.value, input, within), context) : await tool.run(target.value, input, context)
    return { json: jsonOf(value), counters: tool.counters(value, input) }
  }

  async function inTurn<T>(run: (context: CallContext) => Promise<T>, context: CallContext): Promise<T> {
    const { principal, deadline, signal } = context
    await processes.enter(principal.name, { bytes: 0 }, deadline, signal)
    const place = new Place(() => processes.leave(principal.name, []))
    const begin: Begin = () => {
      const ends = [context.begin(), place.begin()]
      return () => ends.forEach((end) => end())
    }
    try {
      return await run({ ...context, begin })
    } finally {
      place.end()
    }
  }

  return {
    tool: (service, tool, args, caller) =>
      watched(service, tool.name, caller, () => ({
        subject: isObject(args) ? service.subject(args) : {},
        run: (context, record) => runTool(service, tool, args, context, record),
        sent: ({ json }) => json.pieces,
      })),
    resource: (service, channel, uri, caller) =>
      watched(service, "resources/read", caller, () => {
        if (typeof uri !== "string") throw new ToolError("INVALID_ARGUMENTS", { detail: "uri is required" })
        const { subject, read } = channel.parse(uri)
        return { subject, run: read, sent: ({ text }) => [text] }
      }),
  }
}

/** What can't even be prepared fails when it is run, where every failure is told and recorded alike. */
function prepared<T>(prepare: () => Prepared<T>): Prepared<T> {
  try {
    return prepare()
  } catch (thrown) {
    return { subject: {}, run: () => Promise.reject(thrown), sent: () => [] }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
