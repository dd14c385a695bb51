/** For the last words of a process that never came up: nothing is left running that could write them later. */
import type { LogLevel } from "../config/config.ts"
import { formatLine } from "./line.ts"
import { writeAll } from "./write-all.ts"

const PATIENCE_MS = 2000

/** Writes one event to stderr before it returns (`startup_failed`, contract §2). Blocks; use it only before the process ends. */
export function writeEventNow(name: string, fields: Readonly<Record<string, unknown>> = {}, level: LogLevel = "ERROR"): void {
  writeAll(2, Buffer.from(formatLine(Date.now(), level, name, fields)), () => {}, PATIENCE_MS)
}
