/** What `WWW-Authenticate` says with a refusal (RFC 6750 §3, RFC 9728 §5.1). */
import type { Challenge, Problem } from "../bearer.ts"

/** Where a client learns how to get a token for a mount. */
export interface ChallengeResource {
  /** Absolute URL of the mount's protected resource metadata: relative ones have broken clients. */
  readonly metadataUrl: string
  /** The whole scope that a client should ask for. */
  readonly scope: string
}

const ERROR: Readonly<Record<Problem, string | null>> = {
  // RFC 6750 §3.1: a request without a credential is told no error.
  missing: null,
  invalid: "invalid_token",
  insufficient_scope: "insufficient_scope",
}

/** @param resourceOf what is published for a mount; null while OAuth is off, or where it opens nothing */
export function createChallenge(resourceOf: (mount: string) => ChallengeResource | null): Challenge {
  return (problem, mount) => {
    const error = ERROR[problem]
    const resource = resourceOf(mount)
    const parts = ['realm="serverfs"']
    if (error) parts.push(`error="${error}"`)
    if (resource) parts.push(`resource_metadata="${resource.metadataUrl}"`, `scope="${resource.scope}"`)
    return `Bearer ${parts.join(", ")}`
  }
}
