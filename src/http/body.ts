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
    return await Promise.race([read(request, declared !== null), late])
  } catch {
    return refuse(400, "bad_request", "the body could not be read, or is not UTF-8")
  } finally {
    clearTimeout(timer)
  }
}

async function read(request: Request, bounded: boolean): Promise<Body | Response> {
  // A declared length is kept by the HTTP parser; without one the chunks are counted as they come.
  const bytes = bounded ? await request.arrayBuffer() : await counted(request)
  if (bytes === null) return tooLarge()
  // Fatal, since content is to reach the disk exactly: a byte that is not UTF-8 must not become U+FFFD.
  return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), bytes: bytes.byteLength }
}

async function counted(request: Request): Promise<ArrayBuffer | null> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return new Blob(chunks).arrayBuffer()
}

function tooLarge(): Response {
  return refuse(413, "body_too_large", `a request body may hold ${MAX_BODY_BYTES} bytes`)
}
