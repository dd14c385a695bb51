/** Access tokens that the embedded authorization server gave to clients. */
import { timingSafeEqual } from "node:crypto"
import type { Grants } from "../../state/grants.ts"
import type { Verifier } from "./verifier.ts"

/**
 * Looks the digest up in the state each time: what was revoked is refused from the next request on.
 * @param resourceOf the URL that a mount's tokens are bound to; one for another mount, or for another public URL, is not good here
 */
export function oauthToken(grants: Grants, resourceOf: (mount: string) => string): Verifier {
  return (digest, audience) => {
    const found = grants.findByToken(digest, Date.now())
    if (found === null || !timingSafeEqual(found.hash, digest)) return null
    const { name, mount, resource, workdirs, readOnly } = found.grant
    if (resource !== resourceOf(audience ?? mount)) return null
    return { name, mounts: new Set([mount]), workdirs: new Set(workdirs), readOnly }
  }
}
