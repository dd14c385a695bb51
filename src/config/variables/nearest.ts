/** Levenshtein distance: insertions, deletions and replacements of one character. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      const replaced = row[j]! + (b[j] === char ? 0 : 1)
      next.push(Math.min(replaced, row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[b.length]!
}

/** The word of `known` that is the fewest edits from `word`, the first of several; undefined when `known` is empty. */
export function nearest(word: string, known: readonly string[]): { readonly word: string; readonly edits: number } | undefined {
  const found = known.map((each) => ({ word: each, edits: editDistance(word, each) }))
  return found.sort((a, b) => a.edits - b.edits)[0]
}
