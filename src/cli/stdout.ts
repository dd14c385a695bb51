/** Standard output, written to before a call returns: what can't be read there is not taken for told. */
import { fstatSync } from "node:fs"
import { writeAll } from "../audit/write-all.ts"

/** What a command had to say could not be written. */
export class StdoutError extends Error {
  override readonly name = "StdoutError"
  /** Whoever read it has gone, as `head` does. */
  readonly isReaderGone: boolean

  constructor(reason: string) {
    super(`stdout can't be written to (${reason})`)
    this.isReaderGone = reason === "EPIPE"
  }
}

/** Device 1:3 of Linux. Bun opens it in the place of a stdout that is closed. */
const NULL_DEVICE = 0x103

/** Writes all of the text. @throws StdoutError */
export function writeOut(text: string): void {
  writeAll(1, Buffer.from(text), (code) => {
    throw new StdoutError(code)
  })
}

/** Throws StdoutError when nobody can see what is written there. */
export function assertSeen(): void {
  if (fstatSync(1).rdev === NULL_DEVICE) throw new StdoutError("it is closed, or /dev/null")
}

/** As writeOut(), for what is shown this once and may not go to /dev/null either. @throws StdoutError */
export function showOnce(text: string): void {
  assertSeen()
  writeOut(text)
}
