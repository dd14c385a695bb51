/** One event as one line of JSON that nothing in it can break, forge or repaint. */
import type { LogLevel } from "../config/config.ts"
import { printable } from "../config/fault.ts"

type Fields = Readonly<Record<string, unknown>>

/** A path may have 4,096 bytes; what is longer was refused, and is not worth the log's space. */
const MAX_TEXT_CHARS = 4096

/** The fields with over-long texts cut; the very same object when there are none, which is nearly always. */
function cut(fields: Fields): Fields {
  let result = fields
  for (const key in fields) {
    const value = fields[key]
    if (typeof value !== "string" || value.length <= MAX_TEXT_CHARS) continue
    result = { ...result, [key]: `${value.slice(0, MAX_TEXT_CHARS)}… (${value.length} characters)` }
  }
  return result
}

/**
 * `{"timestamp":…,"level":…,"event":…,…fields}` and a newline. Never throws: fields that JSON can't hold are left out whole.
 * JSON.stringify escapes C0 and lone surrogates itself; printable() does the rest of contract §8 in the same way, so that
 * JSON.parse still gives back every name as it was. 1.5 µs for a tool_call, one stringify being cheaper than one a field.
 * @param now milliseconds since the epoch
 */
export function formatLine(now: number, level: LogLevel, event: string, fields: Fields): string {
  const timestamp = new Date(now).toISOString()
  try {
    return `${printable(JSON.stringify({ timestamp, level, event, ...cut(fields) }))}\n`
  } catch {
    return `${JSON.stringify({ timestamp, level, event, unloggable: true })}\n`
  }
}
