/** What a call gave, as both protocol eras say it. */
import type { ErrorCode, ToolError } from "../errors.ts"
import { quotedOf } from "../json-text.ts"
import type { Answer } from "./call.ts"

/** The result of tools/call: either half of a success is enough for an agent (contract §5); a refusal has no structured half (§2). */
export function toolResult(outcome: Answer | Error): Record<string, unknown> {
  if (outcome instanceof Error) return { content: [{ type: "text", text: outcome.message }], isError: true }
  const text = outcome.json.pieces.join("")
  return { content: [{ type: "text", text }], structuredContent: JSON.parse(text) }
}

/** The same as JSON, in pieces. @param extra further members, each after a comma */
export function resultPieces(outcome: Answer | Error, extra: string): readonly string[] {
  const [quoted, half] = outcome instanceof Error
    ? [[quotedOf(outcome.message)], ['"isError":true']]
    : [outcome.json.quoted, ['"structuredContent":', ...outcome.json.pieces]]
  return ['{"content":[{"type":"text","text":"', ...quoted, '"}],', ...half, extra, "}"]
}

export interface RpcErrorData {
  readonly code: ErrorCode
  /** The resource that was asked for, as it was asked for. */
  readonly uri: unknown
}

/** A JSON-RPC error. Both SDKs send the code, message and data of whatever a handler throws. */
export class RpcError extends Error {
  override readonly name = "RpcError"
  readonly code: number
  readonly data: RpcErrorData | undefined

  constructor(code: number, message: string, data?: RpcErrorData) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const PARSE_ERROR = -32700

/** What is not the caller's to mend (contract §5, Resources). */
const SERVERS_FAULT: ReadonlySet<ErrorCode> = new Set(["READ_IO_ERROR", "WORKDIR_UNAVAILABLE", "INTERNAL_ERROR"])

/** The resource channel has no error results: a refusal there is a JSON-RPC error. */
export function resourceError({ code, message }: ToolError, uri: unknown): RpcError {
  return new RpcError(SERVERS_FAULT.has(code) ? INTERNAL_ERROR : INVALID_PARAMS, message, { code, uri })
}

/** A refusal of a whole POST, before any of its messages is looked at. */
export function rpcRefusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status })
}
