/** The contents of the kill test: whole versions that can be told from any mixture of two. */
const REPEATS = 4000

/** Version n of the edited file. */
export function versionOf(n: number): string {
  return `version ${n}\n`.repeat(REPEATS)
}

export function created(n: number): string {
  return `created-${n}`
}

export function bodyOf(n: number): string {
  return `body ${n}\n`.repeat(REPEATS)
}
