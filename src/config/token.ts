/** The static bearer token. */
import type { Fault } from "./fault.ts"
import { readSmallFile } from "./small-file.ts"
import { TOKEN_PREFIXES } from "./token-prefix.ts"
import { token } from "./variables/kind.ts"

/** From the variable or the file (its absolute path), of which one may be given; null = neither, or a fault. */
export function staticToken(text: string | null, file: string | null, faults: Fault[]): string | null {
  if (file === null) return text === null ? null : ownText("SERVERFS_TOKEN", text, faults)
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
  if (value !== undefined) return ownText("SERVERFS_TOKEN_FILE", value, faults)
  faults.push({ variable: "SERVERFS_TOKEN_FILE", message: `what the file holds is not accepted; it must be ${token.accepts}` })
  return null
}

/** The text, unless it is that of a token that serverfs made: revoking that would not revoke this. */
function ownText(variable: string, text: string, faults: Fault[]): string | null {
  const prefix = TOKEN_PREFIXES.find((each) => text.startsWith(each))
  if (prefix === undefined) return text
  const message = `the token begins with ${prefix}, as those do that serverfs makes: here it would open everything, and go on doing so when it is revoked or expires; give one of its own, as 'openssl rand -hex 32' prints it`
  faults.push({ variable, message })
  return null
}
