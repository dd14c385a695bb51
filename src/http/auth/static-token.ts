/** The token from SERVERFS_TOKEN or its file: full rights. */
import { timingSafeEqual } from "node:crypto"
import type { Principal } from "../../principal.ts"
import { digestOf } from "../../state/token-text.ts"
import type { Verifier } from "./verifier.ts"

/** As the audit names it; no named token may be called so. */
export const STATIC_PRINCIPAL = "static"

/** Compares digests, which have one length whatever the texts have, in constant time. */
export function staticToken(text: string): Verifier {
  const expected = digestOf(text)
  const principal: Principal = { name: STATIC_PRINCIPAL, mounts: null, workdirs: null, readOnly: false }
  return (digest) => (timingSafeEqual(digest, expected) ? principal : null)
}
