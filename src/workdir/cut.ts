/** The first `max` code points of a text, and whether there were more. */
export function cutCodePoints(text: string, max: number): { readonly text: string; readonly cut: boolean } {
  // A code point is at most two units.
  if (text.length <= max) return { text, cut: false }
  let end = 0
  for (let count = 0; count < max && end < text.length; count++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return { text: text.slice(0, end), cut: end < text.length }
}
