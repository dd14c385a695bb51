/** The documents that clients find the way by (RFC 9728, RFC 8414). All URLs come from the configuration. */
import type { Offer } from "./offers.ts"

/** The one scope there is. What a token may do is chosen on the consent page, so that a change needs no new authorization. */
export const SCOPE = "mcp"

export const PATHS = { authorize: "/authorize", token: "/token", register: "/register", revoke: "/revoke" } as const

export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource"
export const SERVER_METADATA = "/.well-known/oauth-authorization-server"

export function resourceMetadata(issuer: string, { resource, title }: Offer) {
  return {
    resource,
    resource_name: title,
    authorization_servers: [issuer],
    scopes_supported: [SCOPE],
    bearer_methods_supported: ["header"],
  }
}

/** @param issuer an origin: with a path in it clients would look for this document in several places */
export function serverMetadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: issuer + PATHS.authorize,
    token_endpoint: issuer + PATHS.token,
    registration_endpoint: issuer + PATHS.register,
    revocation_endpoint: issuer + PATHS.revoke,
    scopes_supported: [SCOPE, "offline_access"],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  }
}
