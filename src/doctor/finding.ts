/** What doctor found: one sentence, and for everything that is not as it should be, what to do. */
export type Level = "ok" | "warning" | "error"

interface Found {
  /** What was looked at: "kernel", "root". */
  readonly check: string
  /** Which one of several, such as a directory's alias; null when there is one only. */
  readonly subject: string | null
  readonly message: string
}

interface Fine extends Found {
  readonly level: "ok"
  readonly fix: null
}

interface Trouble extends Found {
  readonly level: "warning" | "error"
  readonly fix: string
}

export type Finding = Fine | Trouble

/** Makers of findings about one thing. */
export function about(check: string, subject: string | null = null) {
  return {
    ok: (message: string): Finding => ({ check, subject, level: "ok", message, fix: null }),
    warning: (message: string, fix: string): Finding => ({ check, subject, level: "warning", message, fix }),
    error: (message: string, fix: string): Finding => ({ check, subject, level: "error", message, fix }),
  }
}

/** The parts of a fault's message: what is wrong, and the fix that stands behind the first semicolon. */
export function splitFault(message: string): { readonly wrong: string; readonly fix: string } {
  const at = message.indexOf("; ")
  return at < 0 ? { wrong: message, fix: "correct it; serverfs --help names what may be given" } : { wrong: message.slice(0, at), fix: message.slice(at + 2) }
}

const LEVELS: readonly Level[] = ["ok", "warning", "error"]

/** The worst level of all, and its place in the order, which is the command's exit status: 0 ok, 1 warnings, 2 errors. */
export function worst(findings: readonly Finding[]): { readonly level: Level; readonly status: number } {
  const status = Math.max(0, ...findings.map(({ level }) => LEVELS.indexOf(level)))
  return { level: LEVELS[status] ?? "error", status }
}
