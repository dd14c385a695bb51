/** The token endpoint: a code, or a refresh token, is turned in for the next pair (RFC 6749 §4.1.3, §6). */
import { hash } from "node:crypto"
import type { Audit } from "../audit/audit.ts"
import type { State } from "../state/state.ts"
import type { Refusal, TokenPair } from "../state/token-pairs.ts"
import { answer, type OauthError, oauthError } from "./answer.ts"
import { withoutSlash } from "./authorization-request.ts"
import { documentUrl } from "./client-id.ts"
import type { Parameters } from "./form.ts"
import { SCOPE } from "./metadata.ts"

export interface TokenOptions {
  readonly state: Pick<State, "clients" | "codes" | "tokenPairs">
  readonly audit: Audit
}

const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

const REFUSALS: Readonly<Record<Refusal["refused"], readonly [OauthError, string]>> = {
  unknown: ["invalid_grant", "it is not known, not this client's, or no longer good"],
  target: ["invalid_target", "it was granted for another resource"],
  reused: ["invalid_grant", "it was used before, so what was granted is revoked"],
}

/** True for a client that can have been granted something. What a described client says of itself was read when it was. */
export function isClient(id: string, { clients }: Pick<State, "clients">): boolean {
  return documentUrl(id) !== null || clients.find(id) !== null
}

export function tokenEndpoint({ state, audit }: TokenOptions) {
  function outcome(parameters: Parameters, clientId: string, now: number): TokenPair | Refusal | null {
    const resource = parameters.get("resource")
    const claim = { clientId, resource: resource === undefined ? null : withoutSlash(resource) }
    const refreshToken = parameters.get("refresh_token")
    if (parameters.get("grant_type") === "refresh_token") return refreshToken === undefined ? null : state.tokenPairs.refresh(refreshToken, claim, now)
    const [code, verifier, redirectUri] = ["code", "code_verifier", "redirect_uri"].map((name) => parameters.get(name))
    if (code === undefined || verifier === undefined || redirectUri === undefined || !VERIFIER.test(verifier)) return null
    return state.codes.redeem(code, { ...claim, redirectUri, challenge: hash("sha256", verifier, "base64url") }, now)
  }

  return (parameters: Parameters, now: number): Response => {
    const grantType = parameters.get("grant_type")
    if (grantType === undefined) return oauthError("invalid_request", "grant_type is missing")
    if (grantType !== "authorization_code" && grantType !== "refresh_token") return oauthError("unsupported_grant_type", "only authorization_code and refresh_token are known")
    const clientId = parameters.get("client_id")
    if (clientId === undefined || !isClient(clientId, state)) return oauthError("invalid_client", "the client is not known here: register it again")
    const result = outcome(parameters, clientId, now)
    if (result === null) return oauthError("invalid_request", "a parameter of this grant type is missing or malformed")
    if (!("refused" in result)) {
      return answer({ access_token: result.accessToken, token_type: "Bearer", expires_in: result.expiresIn, refresh_token: result.refreshToken, scope: SCOPE })
    }
    if (result.refused === "reused") audit.event("oauth_revoked", { grant: result.grantId, reason: `${grantType}_reused` }, "WARNING", "droppable")
    return oauthError(...REFUSALS[result.refused])
  }
}
