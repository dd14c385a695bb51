/** The static bearer token. */
import type { Fault } from "./fault.ts"
import { token } from "./kind.ts"
import { readSmallFile } from "./small-file.ts"

/** From the variable or the file (its absolute path), of which one may be given; null = neither, or a fault. */
export function staticToken(text: string | null, file: string | null, faults: Fault[]): string | null {
  if (file === null) return text
  if (text !== null) {
    faults.push({ variable: "SERVERFS_TOKEN_FILE", message: "SERVERFS_TOKEN is set too; keep one of them" })
    return null
  }
  const read = readSmallFile(file)
  if ("why" in read) {
    faults.push({ variable: "SERVERFS_TOKEN_FILE", message: `the file ${read.why}; name a file that this process can read` })
    return null
  }
  const value = token.parse(read.text.replace(/\r?\n$/, ""))
  if (value !== undefined) return value
  faults.push({ variable: "SERVERFS_TOKEN_FILE", message: `what the file holds is not accepted; it must be ${token.accepts}` })
  return null
}
