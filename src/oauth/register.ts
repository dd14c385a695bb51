/** Dynamic client registration (RFC 7591), for clients that have no description of themselves on the web. */
import { z } from "zod"
import type { Audit } from "../audit/audit.ts"
import { parseJson } from "../mcp/parse-json.ts"
import type { Clients } from "../state/clients.ts"
import { answer, oauthError } from "./answer.ts"
import { displayName } from "./display-name.ts"
import { SCOPE } from "./metadata.ts"
import { redirectTarget } from "./redirect-uri.ts"

const MAX_REDIRECT_URIS = 16

const METADATA = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().default(""),
  grant_types: z.array(z.string()).default(["authorization_code"]),
  response_types: z.array(z.string()).default(["code"]),
})

export interface RegisterOptions {
  readonly clients: Clients
  readonly audit: Audit
}

/**
 * Whatever a client asks for, it becomes a public one: PKCE binds a code to who asked for it, and a secret that everybody can have
 * for the asking would add nothing (RFC 7591 §3.2.1 lets the server replace what was asked for).
 */
export function registerEndpoint({ clients, audit }: RegisterOptions) {
  return (text: string, client: string | null, now: number): Response => {
    const parsed = METADATA.safeParse(parseJson(text))
    if (!parsed.success) {
      const field = parsed.error.issues[0]?.path[0]
      return field === "redirect_uris"
        ? oauthError("invalid_redirect_uri", `redirect_uris must be 1 to ${MAX_REDIRECT_URIS} URIs`)
        : oauthError("invalid_client_metadata", "the body must be a JSON object with a client's metadata")
    }
    const { redirect_uris, client_name, grant_types, response_types } = parsed.data
    if (!redirect_uris.every((uri) => redirectTarget(uri) !== null)) {
      return oauthError("invalid_redirect_uri", "a redirect URI must be https, http on loopback, or an app's own scheme, without fragment and user name")
    }
    if (!grant_types.includes("authorization_code") || !response_types.includes("code")) {
      return oauthError("invalid_client_metadata", "only the grant type authorization_code and the response type code are known")
    }
    const registered = clients.register(displayName(client_name), [...new Set(redirect_uris)], now)
    audit.event("oauth_registered", { client_id: registered.id, name: registered.name, client }, "INFO", "droppable")
    return answer({
      client_id: registered.id,
      client_id_issued_at: Math.floor(now / 1000),
      client_name: registered.name,
      redirect_uris: registered.redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: SCOPE,
    }, 201)
  }
}
