/** Names that strangers give themselves, made fit to be shown: one line, no characters that hide, turn or imitate others. */

const MAX_CHARS = 60
// Control, format (bidi, zero-width), surrogate, private-use and unassigned characters; line and paragraph separators.
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]+/gu

export function displayName(text: string): string {
  const name = [...text.slice(0, 10 * MAX_CHARS).normalize("NFC").replace(UNSEEN, " ").replace(/\s+/g, " ").trim()]
  if (name.length === 0) return "unnamed client"
  return name.length > MAX_CHARS ? `${name.slice(0, MAX_CHARS).join("")}…` : name.join("")
}
