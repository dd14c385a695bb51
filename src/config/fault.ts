/** What is wrong with one variable or option, and what would be right. */
export interface Fault {
  /** As the operator wrote it: "SERVERFS_PORT", "--dir", "WORKDIR_01_ALIAS". */
  readonly variable: string
  /** What is wrong; the fix. Never a secret. */
  readonly message: string
}

const SHOWN_CHARS = 120
// C0, DEL, C1, line and paragraph separators, bidi controls: none may forge or repaint a line of the operator's terminal.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** A value as a message shows it: in quotes, cut at 120 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text)
}

/** The text with everything that could move a cursor or end a line written as \uXXXX. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** The line on stderr for one fault, without a newline (contract §2, CONFIGURATION_ERROR). */
export function faultLine(fault: Fault): string {
  return printable(`serverfs: CONFIGURATION_ERROR: ${fault.variable}: ${fault.message}`)
}
