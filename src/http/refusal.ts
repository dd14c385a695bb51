/** What the HTTP edge answers before a tool is asked: the one table of its codes, in lower case beside those of tools. Always JSON, never HTML. */
import { ERRORS, type ToolError } from "../errors.ts"
import { MAX_BODY_BYTES } from "./max-body.ts"

interface EdgeError {
  readonly status: number
  /** What is in the way: the README's word for it, and the answer's when the refusing place says nothing more exact. */
  readonly sentence: string
  /** Any call may meet it; the others are about addresses and methods. */
  readonly ofCalls: boolean
}

export const EDGE_ERRORS = {
  bad_request: { status: 400, sentence: "the body could not be read", ofCalls: true },
  unauthorized: { status: 401, sentence: "a bearer token is needed, or the one given is not known, or no longer", ofCalls: true },
  insufficient_scope: { status: 403, sentence: "this token does not open this service", ofCalls: true },
  origin_not_allowed: { status: 403, sentence: "requests from this Origin are not allowed; the gateway's operator can allow it in SERVERFS_ALLOWED_ORIGINS", ofCalls: true },
  not_found: { status: 404, sentence: "there is nothing at this address", ofCalls: false },
  method_not_allowed: { status: 405, sentence: "this method does not work here; Allow names those that do", ofCalls: false },
  request_timeout: { status: 408, sentence: "the body took too long to arrive", ofCalls: true },
  body_too_large: { status: 413, sentence: `a request body may hold ${MAX_BODY_BYTES} bytes`, ofCalls: true },
  misdirected_request: { status: 421, sentence: "this gateway does not go by that Host; its operator can name further ones in SERVERFS_ALLOWED_HOSTS", ofCalls: true },
} as const satisfies Record<string, EdgeError>

export type EdgeCode = keyof typeof EDGE_ERRORS

/** An error of the HTTP edge, in the shape that the REST channel uses too. @param detail a sentence that is more exact than the table's */
export function refuse(code: EdgeCode, detail: string = EDGE_ERRORS[code].sentence, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ detail, code }, { status: EDGE_ERRORS[code].status, headers })
}

/** A tool's refusal, or one with a tool's code for what has no tool yet. @param status where the service departs from the table of codes */
export function refuseAsTool({ code, message, about }: ToolError, status: number = ERRORS[code].status): Response {
  const body = { detail: message, code, ...(about.partial === undefined ? {} : { partial: about.partial }) }
  return Response.json(body, { status, headers: status === 429 ? { "Retry-After": String(about.retryAfter ?? 1) } : {} })
}

/** @param allow the methods that work there, such as "POST" */
export function methodNotAllowed(allow: string): Response {
  return refuse("method_not_allowed", `only ${allow} works here`, { Allow: allow })
}

/** For an address that can only be read. */
export function onlyRead(): Response {
  return methodNotAllowed("GET, HEAD")
}
