/** The file that --env-file names. Nothing reads one by itself. */
import { type Fault, quote } from "../fault.ts"
import { readSmallFile } from "../small-file.ts"
import type { Environment } from "./values.ts"

const OPTION = "--env-file"
const LINE = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/
const QUOTED = /^(["'])(.*)\1(?:\s*|\s+#.*)$/

function valueOf(text: string): string | undefined {
  if (!/^["']/.test(text)) return text.replace(/(?:^|\s+)#.*$/, "").trimEnd()
  const [, mark, inner] = QUOTED.exec(text) ?? []
  return mark === undefined || inner?.includes(mark) ? undefined : inner
}

/**
 * One NAME=VALUE a line, `#` comments, an optional `export`, quotes around a value dropped; no escapes, no $ expansion,
 * no value over several lines. What looks otherwise is a fault, as is a name that comes twice: util.parseEnv passes both
 * over in silence, and a misspelt switch must never be ignored.
 */
export function parseEnvFile(text: string, faults: Fault[]): Environment {
  const found: Record<string, string> = {}
  for (const [i, line] of text.replace(/^\ufeff/, "").split(/\r?\n/).entries()) {
    const trimmed = line.trim()
    if (trimmed === "" || trimmed.startsWith("#")) continue
    const [, name, raw] = LINE.exec(trimmed) ?? []
    const value = raw === undefined ? undefined : valueOf(raw)
    // The line itself may hold a secret: its number has to do.
    if (name === undefined || value === undefined) faults.push({ variable: OPTION, message: `line ${i + 1} is not NAME=VALUE; mend it, or put # before it` })
    else if (Object.hasOwn(found, name)) faults.push({ variable: OPTION, message: `line ${i + 1} sets ${name} a second time; keep one` })
    else found[name] = value
  }
  return found
}

/** The variables of the file at this absolute path. */
export function readEnvFile(path: string, faults: Fault[]): Environment {
  const read = readSmallFile(path)
  if ("text" in read) return parseEnvFile(read.text, faults)
  faults.push({ variable: OPTION, message: `${quote(path)} ${read.why}; name a file that this process can read` })
  return {}
}
