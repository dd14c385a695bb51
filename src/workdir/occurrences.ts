/**
 * Where `needle` stands in `text`: byte offsets, left to right, not overlapping. Bytes are enough, since UTF-8 is
 * self-synchronising: between well-formed texts a byte match is a character match.
 *
 * Knuth, Morris and Pratt's search, because it is linear whatever a caller sends. Measured on 1 MiB: String.indexOf took
 * 90 s for a needle of one letter with two others swapped in its middle, and Buffer.indexOf 350 ms for a million matches.
 * @param needle not empty
 */
export function occurrences(text: Uint8Array, needle: Uint8Array): number[] {
  const borders = bordersOf(needle)
  const found: number[] = []
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    while (matched > 0 && text[at] !== needle[matched]) matched = borders[matched - 1] ?? 0
    if (text[at] === needle[matched]) matched++
    if (matched < needle.length) continue
    found.push(at + 1 - matched)
    matched = 0
  }
  return found
}

/** For each prefix of the needle, how much of it is also its end: where to go on after a mismatch. */
function bordersOf(needle: Uint8Array): Int32Array {
  const borders = new Int32Array(needle.length)
  let length = 0
  for (let at = 1; at < needle.length; at++) {
    while (length > 0 && needle[at] !== needle[length]) length = borders[length - 1] ?? 0
    if (needle[at] === needle[length]) length++
    borders[at] = length
  }
  return borders
}
