/** What `WWW-Authenticate` says with a refusal (RFC 6750 §3, RFC 9728 §5.1). */

/** Where a client learns how to get a token, when the embedded authorization server is on. */
export interface ChallengeResource {
  /** Absolute URL of this mount's protected resource metadata: relative ones have broken clients. */
  readonly metadataUrl: string
  /** The whole scope that a client should ask for. */
  readonly scope: string
}

const ERROR: Readonly<Record<"missing" | "invalid" | "insufficient", string | null>> = {
  // RFC 6750 §3.1: a request without a credential is told no error.
  missing: null,
  invalid: "invalid_token",
  insufficient: "insufficient_scope",
}

/**
 * The header's value: `missing` and `invalid` go with 401, `insufficient` with 403.
 * @param resource null while OAuth is off
 */
export function challenge(refused: "missing" | "invalid" | "insufficient", resource: ChallengeResource | null): string {
  const error = ERROR[refused]
  const parts = ['realm="serverfs"']
  if (error) parts.push(`error="${error}"`)
  if (resource) parts.push(`resource_metadata="${resource.metadataUrl}"`, `scope="${resource.scope}"`)
  return `Bearer ${parts.join(", ")}`
}
