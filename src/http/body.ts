/** Reads a request's body, once, within bounds of size and time that the reader itself keeps. */
import { refuse } from "./json.ts"

/** 1 MiB of content written as \u escapes must pass, envelope included. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024

export interface Body {
  readonly text: string
  readonly bytes: number
}

/** @param timeoutMs how long a client may take to send it @returns the body, or the refusal: 413, 408 or 400 */
export async function readBody(request: Request, timeoutMs: number): Promise<Body | Response> {
  const declared = request.headers.get("content-length")
  if (Number(declared) > MAX_BODY_BYTES) return tooLarge()
  const { promise: late, resolve } = Promise.withResolvers<Response>()
  const timer = setTimeout(() => resolve(refuse(408, "request_timeout", "the body took too long to arrive")), timeoutMs)
  try {
    // A declared length is kept by the HTTP parser; without one the chunks are counted as they come.
    return await Promise.race([declared === null ? counted(request) : whole(request, Number(declared)), late])
  } catch {
    return refuse(400, "bad_request", "the body could not be read")
  } finally {
    clearTimeout(timer)
  }
}

async function whole(request: Request, bytes: number): Promise<Body> {
  return { text: await request.text(), bytes }
}

async function counted(request: Request): Promise<Body | Response> {
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) return tooLarge()
    text += decoder.decode(chunk, { stream: true })
  }
  return { text: text + decoder.decode(), bytes }
}

function tooLarge(): Response {
  return refuse(413, "body_too_large", `a request body may hold ${MAX_BODY_BYTES} bytes`)
}
