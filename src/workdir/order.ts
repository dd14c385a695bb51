/** Code-point order, which is also the byte order of UTF-8; JavaScript's own order is by UTF-16 unit. */

const ASTRAL = /[\ud800-\udfff]/

/** Units that stand for code points above U+FFFF sort after every other unit. */
function weight(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

export function byCodePoint(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at), right = b.charCodeAt(at)
    if (left !== right) return weight(left) - weight(right)
  }
  return a.length - b.length
}

/** Sorts in place. The engine's own order is right, and about twice as fast, where no name holds a surrogate. */
export function sortNames(names: string[]): string[] {
  return names.some((name) => ASTRAL.test(name)) ? names.sort(byCodePoint) : names.sort()
}
