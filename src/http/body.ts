/** Reads a request's body, once, within bounds of size and time that the reader itself keeps. */
import { lingering } from "./linger.ts"
import { ToolError } from "../errors.ts"
import type { Held } from "./memory-budget.ts"
import { MAX_BODY_BYTES } from "./max-body.ts"
import { refuse, refuseAsTool } from "./refusal.ts"

/** Content is to reach the disk exactly: a byte that is not UTF-8 must not become U+FFFD. */
const strict = new TextDecoder("utf-8", { fatal: true })

export interface Body {
  /** null when it is not UTF-8. */
  readonly text: string | null
  readonly bytes: number
}

/**
 * @param timeoutMs how long a client may take to send it
 * @param held is charged for it before it is read, or chunk by chunk
 * @returns the body, or the refusal: 413, 429, 408 or 400
 */
export async function readBody(request: Request, timeoutMs: number, held: Held): Promise<Body | Response> {
  const declared = request.headers.get("content-length")
  if (Number(declared) > MAX_BODY_BYTES && request.body !== null) return lingering(refuse("body_too_large"), request.body.getReader())
  if (declared !== null && !held.add(Number(declared))) return tooMany()
  const { promise: late, resolve } = Promise.withResolvers<Response>()
  const timer = setTimeout(() => resolve(refuse("request_timeout")), timeoutMs)
  try {
    return await Promise.race([read(request, declared === null ? held : null), late])
  } catch {
    return refuse("bad_request")
  } finally {
    clearTimeout(timer)
  }
}

/** @param uncharged null when the length was declared and charged: the HTTP parser keeps it. Else the chunks are counted as they come. */
async function read(request: Request, uncharged: Held | null): Promise<Body | Response> {
  const bytes = uncharged === null ? await request.arrayBuffer() : await counted(request, uncharged)
  if (bytes instanceof Response) return bytes
  return { text: decoded(bytes), bytes: bytes.byteLength }
}

function decoded(bytes: ArrayBuffer): string | null {
  try {
    return strict.decode(bytes)
  } catch {
    return null
  }
}

async function counted(request: Request, held: Held): Promise<ArrayBuffer | Response> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = request.body?.getReader()
  let bytes = 0
  for (let chunk = await reader?.read(); reader !== undefined && chunk?.value !== undefined; chunk = await reader.read()) {
    bytes += chunk.value.byteLength
    if (bytes > MAX_BODY_BYTES) return lingering(refuse("body_too_large"), reader)
    if (!held.add(chunk.value.byteLength)) return tooMany()
    chunks.push(chunk.value)
  }
  return new Blob(chunks).arrayBuffer()
}

function tooMany(): Response {
  const detail = "too many large requests of yours are under way, or large answers not read"
  return refuseAsTool(new ToolError("RESOURCE_EXHAUSTED", { detail, advice: "read them, or wait for some to end" }))
}
