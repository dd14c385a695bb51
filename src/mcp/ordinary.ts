/**
 * The ordinary message: one tools/call whose every part is as the specification has it. Nearly all traffic is that, and it is answered here,
 * text by text, at half the price (bench/README.md). Nothing is refused here: what is not recognised to the letter is left to the SDKs, which
 * are the judges, and what is recognised is answered byte for byte as they would (a test compares).
 */
import type { Caller, Calls } from "./call.ts"
import { type Cancellations, SESSION_HEADER } from "./cancellation.ts"
import { type Envelopes, RESERVED } from "./envelopes.ts"
import { jsonResponse } from "./json-response.ts"
import type { Methods } from "./methods.ts"
import { resultPieces } from "./result.ts"
import type { Service } from "./service.ts"
import type { Tool } from "./tool.ts"

export interface OrdinaryOptions {
  readonly service: Service
  readonly methods: Methods
  readonly calls: Calls
  readonly cancellations: Cancellations
  readonly envelopes: Envelopes
  /** Of the package, as serverInfo says it. */
  readonly version: string
}

/** Answers one POST whose body has been read and parsed; null when it is no ordinary message. */
export type OrdinaryEndpoint = (request: Request, body: unknown, caller: Caller) => Promise<Response> | null

type Era = "legacy" | "modern"
type Members = Readonly<Record<string, unknown>>

interface Recognised {
  readonly era: Era
  readonly id: string | number
  readonly tool: Tool
  readonly args: Members
}

const MESSAGE: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"])
const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"])
/** Requests of the first need no header. */
const LEGACY_REVISIONS: ReadonlySet<string | null> = new Set([null, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
const MODERN_REVISION = "2026-07-28"
const METHOD = "tools/call"
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i

export function createOrdinary({ service, methods, calls, cancellations, envelopes, version }: OrdinaryOptions): OrdinaryEndpoint {
  const serverInfo = { name: service.name, title: service.title, version }
  const extras: Readonly<Record<Era, string>> = {
    legacy: "",
    modern: `,"resultType":"complete","_meta":${JSON.stringify({ [`${RESERVED}serverInfo`]: serverInfo })}`,
  }

  function recognise({ headers }: Request, body: unknown): Recognised | null {
    if (!isObject(body, MESSAGE) || body["jsonrpc"] !== "2.0" || body["method"] !== METHOD) return null
    const { id, params } = body
    if (!isId(id) || !isObject(params, PARAMS)) return null
    const { name, arguments: args = {}, _meta: meta = {} } = params
    const tool = typeof name === "string" ? methods.tools.get(name) : undefined
    if (tool === undefined || !isObject(args) || !isObject(meta)) return null
    const { progressToken } = meta
    if (progressToken !== undefined && (tool.reportsProgress || !isId(progressToken))) return null
    if (!JSON_TYPE.test(headers.get("content-type") ?? "")) return null
    const era = eraOf(headers, tool.name, meta)
    return era === null ? null : { era, id, tool, args }
  }

  function eraOf(headers: Headers, name: string, meta: Members): Era | null {
    const revision = headers.get("mcp-protocol-version")
    if (revision !== MODERN_REVISION) return LEGACY_REVISIONS.has(revision) && !hasReserved(meta) ? "legacy" : null
    return headers.get("mcp-method") === METHOD && headers.get("mcp-name") === name && envelopes.knows(meta) ? "modern" : null
  }

  async function answer({ era, id, tool, args }: Recognised, session: string | null, caller: Caller): Promise<Response> {
    const call = (told: Caller) => calls.tool(service, tool, args, told)
    const outcome = era === "modern" ? await call(caller) : await cancellations.cancellable(caller, session, id, call)
    return jsonResponse(['{"result":', ...resultPieces(outcome, extras[era]), `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`], caller.unsent)
  }

  return (request, body, caller) => {
    const recognised = recognise(request, body)
    return recognised === null ? null : answer(recognised, request.headers.get(SESSION_HEADER), caller)
  }
}

/** @param names no member may go by another one */
function isObject(value: unknown, names?: ReadonlySet<string>): value is Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  if (names !== undefined) for (const name in value) if (!names.has(name)) return false
  return true
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value)
}

/** Whether metadata holds what the protocol itself reads. */
function hasReserved(meta: Members): boolean {
  for (const name in meta) if (name.startsWith(RESERVED)) return true
  return false
}
