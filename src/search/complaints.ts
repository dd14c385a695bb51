/** What ripgrep says on stderr, in bounded memory: how many files it could not open, and why it refused its arguments. */

/** Enough for ripgrep to repeat the longest pattern that is let through, with a line of carets under it. */
const HEAD_BYTES = 65_536
const NEWLINE = 0x0a
/** The arguments are judged before any file is opened, so only the first line counts: no file's name can forge it. */
const BAD_GLOB = /^rg: error parsing (?:glob '[^]*': (.*)|pattern \d+)\n/
const BAD_PATTERN = /^rg: (regex parse error:|compiled regex exceeds|the literal |pattern contains )/
/** With the operand `.`, every file's name begins so. */
const ABOUT_A_FILE = /^rg: \.[/:]/
/** The end of such a line, as Rust words an error of the system: ENOENT is a file that has vanished, not an unreadable one. */
const UNREADABLE = /\(os error (?!2\))\d+\)$/
/** Long enough for what UNREADABLE looks at. */
const TAIL_BYTES = 32

export interface Refusal {
  /** As the caller knows it. */
  readonly argument: "query" | "glob"
  readonly reason: string
}

export class Complaints {
  /** Files and directories that could not be opened or read. */
  unreadable = 0
  #head = Buffer.alloc(0)
  /** The end of a line that is not finished. */
  #tail = ""

  push(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (this.#head.length < HEAD_BYTES) this.#head = Buffer.concat([this.#head, bytes.subarray(0, HEAD_BYTES - this.#head.length)])
    for (let from = 0; from < bytes.length; ) {
      const newline = bytes.indexOf(NEWLINE, from)
      const end = newline < 0 ? bytes.length : newline
      this.#tail = (this.#tail + bytes.toString("latin1", Math.max(from, end - TAIL_BYTES), end)).slice(-TAIL_BYTES)
      if (newline < 0) return
      if (UNREADABLE.test(this.#tail)) this.unreadable++
      this.#tail = ""
      from = newline + 1
    }
  }

  /** True when what it had to complain about was files, not itself or its arguments. */
  get areAboutFiles(): boolean {
    return ABOUT_A_FILE.test(this.#head.toString("utf8"))
  }

  /** Which argument ripgrep refused and why, in its own words but without the argument itself; null when it did not. */
  get refusal(): Refusal | null {
    const text = this.#head.toString("utf8")
    const badGlob = BAD_GLOB.exec(text)
    if (badGlob !== null) return { argument: "glob", reason: badGlob[1] ?? "it is too large, or nested too deeply" }
    if (!BAD_PATTERN.test(text)) return null
    const lines = text.split("\n")
    // A bad expression is repeated first, with a mark under the place; the reason comes after.
    const reason = lines.find((line) => line.startsWith("error: "))?.slice("error: ".length)
    return { argument: "query", reason: reason ?? lines[0]?.slice("rg: ".length) ?? "" }
  }
}
