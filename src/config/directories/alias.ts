/** Names of workdirs as agents use them. */
const ALIAS = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/
const LONGEST = 32

export function isAlias(text: string): boolean {
  return ALIAS.test(text)
}

/** The nearest valid alias to a directory's name: accents dropped, what is not allowed made `-`; "workdir" when nothing is left. */
export function aliasFor(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "")
  const words = plain.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^[^A-Za-z]+/, "")
  return words.slice(0, LONGEST).replace(/-+$/, "") || "workdir"
}
