/** Answers to programs: JSON that nobody may keep (RFC 6749 §5). */

const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" }

export function answer(body: object, status = 200): Response {
  return Response.json(body, { status, headers: NO_STORE })
}

export type OauthError =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "temporarily_unavailable"

const STATUS: Partial<Record<OauthError, number>> = { invalid_client: 401, temporarily_unavailable: 429 }

/** @param retryAfter seconds */
export function oauthError(error: OauthError, description: string, retryAfter?: number): Response {
  const response = answer({ error, error_description: description }, STATUS[error] ?? 400)
  if (retryAfter !== undefined) response.headers.set("Retry-After", String(retryAfter))
  return response
}

/** A client that tried HTTP Basic, and is not known, gets the challenge for it (RFC 6749 §5.2). @param authorization the header as it came, or null */
export function challenged(response: Response, authorization: string | null): Response {
  if (response.status === 401 && /^basic\b/i.test(authorization ?? "")) response.headers.set("WWW-Authenticate", 'Basic realm="serverfs"')
  return response
}
