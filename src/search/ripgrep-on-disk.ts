/** ripgrep's file in its package; null in a single-file program, which carries it inside: see ripgrep-in-memory.ts. */
export async function ripgrepOnDisk(): Promise<string | null> {
  if (import.meta.dir.startsWith("/$bunfs/")) return null
  const { rgPath } = await import("@vscode/ripgrep")
  return rgPath
}
