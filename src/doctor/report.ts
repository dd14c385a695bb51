/** Findings for people: a line each, and below it what to do. */
import { printable } from "../config/fault.ts"
import type { Finding, Level } from "./finding.ts"

const MARKS: Readonly<Record<Level, string>> = { ok: "ok     ", warning: "WARNING", error: "ERROR  " }
const INDENT = " ".repeat(10)

function lines({ level, check, subject, message, fix }: Finding): string[] {
  const name = subject === null ? check : `${check} ${subject}`
  return [`${MARKS[level]}   ${name}: ${message}`, ...(fix === null ? [] : [`${INDENT}do: ${fix}`])]
}

function count(findings: readonly Finding[], level: Level, one: string, many: string): string {
  const number = findings.filter((finding) => finding.level === level).length
  return `${number} ${number === 1 ? one : many}`
}

/** The whole report, ending with a newline. */
export function reportText(findings: readonly Finding[]): string {
  const summary = [count(findings, "error", "error", "errors"), count(findings, "warning", "warning", "warnings"), `${findings.length} findings`]
  return [...findings.flatMap(lines), "", summary.join(", "), ""].map(printable).join("\n")
}
