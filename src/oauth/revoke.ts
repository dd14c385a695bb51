/** The revocation endpoint (RFC 7009): a client gives up what it holds. */
import type { Audit } from "../audit/audit.ts"
import type { State } from "../state/state.ts"
import { oauthError } from "./answer.ts"
import type { Parameters } from "./form.ts"
import { isClient } from "./token.ts"

export interface RevokeOptions {
  readonly state: Pick<State, "clients" | "tokenPairs">
  readonly audit: Audit
}

export function revokeEndpoint({ state, audit }: RevokeOptions) {
  return (parameters: Parameters): Response => {
    const [token, clientId] = [parameters.get("token"), parameters.get("client_id")]
    if (clientId === undefined || !isClient(clientId, state)) return oauthError("invalid_client", "the client is not known here")
    if (token === undefined) return oauthError("invalid_request", "token is missing")
    const grant = state.tokenPairs.giveUp(token, clientId)
    if (grant !== null) audit.event("oauth_revoked", { grant, reason: "given_up" }, "INFO", "droppable")
    // 200 for a token that nobody knows, too (RFC 7009 §2.2).
    return new Response(null, { status: 200, headers: { "Cache-Control": "no-store" } })
  }
}
