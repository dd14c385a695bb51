/** Text as callers send it and as files hold it: what may pass, and its size in bytes (contract §2, §5 Mutations). */
import { isUtf8 } from "node:buffer"
import { ToolError } from "../errors.ts"

const BOM = [0xef, 0xbb, 0xbf] as const

/** Bytes of the byte order mark that `bytes` begins with: 3 or 0. */
export function bomLength(bytes: Uint8Array): number {
  return BOM.every((byte, at) => bytes[at] === byte) ? BOM.length : 0
}

/** Throws BINARY_CONTENT_NOT_ALLOWED for a NUL or a lone surrogate; `argument` is the caller's name for the text. */
export function assertWritable(text: string, argument: string, given: string): void {
  if (text.includes("\0")) throw new ToolError("BINARY_CONTENT_NOT_ALLOWED", { path: given, detail: `${argument} holds a NUL` })
  if (text.isWellFormed()) return
  throw new ToolError("BINARY_CONTENT_NOT_ALLOWED", { path: given, detail: `${argument} holds a lone surrogate, which UTF-8 cannot` })
}

/** What a create may write. Throws BINARY_CONTENT_NOT_ALLOWED or WRITE_TOO_LARGE. @param limit bytes */
export function assertContent(content: string, limit: number, given: string): void {
  assertWritable(content, "content", given)
  assertSize(Buffer.byteLength(content), limit, "content", given)
}

/**
 * Throws WRITE_TOO_LARGE.
 * @param what the thing that is measured, for the message
 * @param advice what would work for this thing, where that is not what the tool advises
 */
export function assertSize(bytes: number, limit: number, what: string, given: string, advice?: string): void {
  if (bytes > limit) throw new ToolError("WRITE_TOO_LARGE", { path: given, detail: `${what} is ${bytes} bytes, and the write limit is ${limit}`, advice })
}

/** What a whole file must be to be edited as text. Throws BINARY_FILE for a NUL anywhere, UNSUPPORTED_TEXT_ENCODING for what is not UTF-8. */
export function assertText(bytes: Uint8Array, given: string): void {
  if (bytes.includes(0)) throw new ToolError("BINARY_FILE", { path: given })
  if (!isUtf8(bytes)) throw new ToolError("UNSUPPORTED_TEXT_ENCODING", { path: given })
}
