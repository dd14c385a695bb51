/** Bytes of a page → text, or the reason why it is none. */
import { ToolError } from "../errors.ts"

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Throws BINARY_FILE (a NUL) or UNSUPPORTED_TEXT_ENCODING (not UTF-8). */
export function decodePage(bytes: Uint8Array, given: string): string {
  if (bytes.includes(0)) throw new ToolError("BINARY_FILE", { path: given })
  try {
    return strict.decode(bytes)
  } catch {
    throw new ToolError("UNSUPPORTED_TEXT_ENCODING", { path: given, detail: "this page is not valid UTF-8" })
  }
}
