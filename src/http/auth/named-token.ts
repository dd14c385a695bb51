/** Tokens that the operator made with `serverfs token create`. */
import { timingSafeEqual } from "node:crypto"
import type { Tokens } from "../../state/tokens.ts"
import type { Verifier } from "./verifier.ts"

function set(names: readonly string[] | null): ReadonlySet<string> | null {
  return names && new Set(names)
}

/**
 * Looks the digest up in the state each time: a revoked token is refused from the next request on.
 * How long the index takes tells an attacker something about the digest that they sent, which they knew; the answer
 * itself is decided in constant time.
 */
export function namedToken(tokens: Tokens): Verifier {
  return (digest) => {
    const token = tokens.find(digest)
    if (token === null || !timingSafeEqual(token.hash, digest)) return null
    const now = Date.now()
    if (token.expires !== null && token.expires <= now) return null
    tokens.touch(token.name, now)
    return { name: token.name, mounts: set(token.mounts), workdirs: set(token.workdirs), readOnly: token.readOnly }
  }
}
