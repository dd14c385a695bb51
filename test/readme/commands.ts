/** Every shell command that the README gives: the lines of its `sh` blocks, and what stands inline and begins with a program. */
import { join } from "node:path"

export const README = await Bun.file(join(import.meta.dir, "../../README.md")).text()

const FENCE = /^( *)```(\w*)\n([^]*?)^ *```$/gm
/** A program in lower case, by name or path, and at least one word more. */
const INLINE = /^(?:\.\/)?[a-z][\w./-]* \S/

/** The blocks in the languages that a shell is not asked to read are no commands; a block must say what it is. */
export function blocks(readme: string): { readonly language: string; readonly text: string }[] {
  return [...readme.matchAll(FENCE)].map(([, , language = "", text = ""]) => ({ language, text }))
}

/** In the README's order, each once. */
export function commandsIn(readme: string): string[] {
  const lines = blocks(readme).filter(({ language }) => language === "sh").flatMap(({ text }) => text.split("\n"))
  const typed = lines.map((line) => line.replace(/\s+#.*$/, "").trim()).filter((line) => line !== "")
  const spans = [...readme.replace(FENCE, "").matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text)
  return [...new Set([...typed, ...spans.filter((text) => INLINE.test(text))])]
}

const COMMANDS = commandsIn(README)

/** The command of the README that is this text, or else the one that begins with it. Throws when there is none, or more. */
export function documented(start: string): string {
  const found = COMMANDS.includes(start) ? [start] : COMMANDS.filter((command) => command.startsWith(start))
  const [command, ...more] = found
  if (command === undefined || more.length > 0) throw new Error(`the README has ${found.length} commands that begin with '${start}'`)
  return command
}
