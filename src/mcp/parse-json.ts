/** JSON.parse within bounds: the engine's own takes seconds, for everybody, over a few megabytes of brackets (measured: 8 MB of `[`, 3 s). */

/** Beyond what the bounds of bounds.ts refuse by themselves, with a better message. */
export const MAX_DEPTH = 20_000

/** Why a body gave no value. */
export const NO_JSON = "the body is not JSON in UTF-8, or nested too deeply"

const QUOTE = 0x22, BACKSLASH = 0x5c, OPEN_ARRAY = 0x5b, OPEN_OBJECT = 0x7b, CLOSE_ARRAY = 0x5d, CLOSE_OBJECT = 0x7d

/** The value, or undefined, which JSON can't say, for what is no JSON or nests more than 20,000 levels deep. @param text null for bytes that are no text */
export function parseJson(text: string | null): unknown {
  if (text === null || isDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_ARRAY: case OPEN_OBJECT:
        if (++depth > MAX_DEPTH) return true
        break
      case CLOSE_ARRAY: case CLOSE_OBJECT: depth--; break
      case QUOTE: at = endOfString(text, at + 1)
    }
  }
  return false
}

/** Where the string ends that begins at `from`: by the engine's own search, since most of a message is in strings. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}
