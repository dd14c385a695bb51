/** The token from SERVERFS_TOKEN or its file: full rights. */
import { timingSafeEqual } from "node:crypto"
import type { Principal } from "../../principal.ts"
import { STATIC } from "../../state/token-name.ts"
import { digestOf } from "../../state/token-text.ts"
import type { Verifier } from "./verifier.ts"

/** Compares digests, which have one length whatever the texts have, in constant time. */
export function staticToken(text: string): Verifier {
  const expected = digestOf(text)
  const principal: Principal = { name: STATIC, mounts: null, workdirs: null, readOnly: false }
  return (digest) => (timingSafeEqual(digest, expected) ? principal : null)
}
