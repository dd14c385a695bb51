/** The texts of credentials: how they are made, and the only form in which they are kept. */
import { hash, randomBytes } from "node:crypto"
import type { TokenPrefix } from "../config/token-prefix.ts"

const SECRET_BYTES = 32

/**
 * A new credential of 256 random bits, base64url, after a prefix that tells its kind. With the prefix, secret scanners
 * and people find one that was pasted where it does not belong, and know what to revoke.
 */
export function newTokenText(prefix: TokenPrefix): string {
  return prefix + randomBytes(SECRET_BYTES).toString("base64url")
}

/** SHA-256 of a credential's text. Enough for 256 random bits: there is nothing to guess that a slow hash would slow down. */
export function digestOf(text: string): Uint8Array {
  return hash("sha256", text, "buffer")
}
