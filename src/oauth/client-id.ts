/** Client identifiers that are the URL of the client's own description (draft-ietf-oauth-client-id-metadata-document). */

const MAX_CHARS = 512
const HOST = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/

/**
 * The URL, or null when this is no identifier of that kind: https on its usual port, a name and not an address, a path, and written
 * exactly as a URL parser writes it, so that nobody reads it in another way: no dot segments, user, fragment, capitals, backslashes.
 */
export function documentUrl(clientId: string): URL | null {
  if (!clientId.startsWith("https://") || clientId.length > MAX_CHARS || !URL.canParse(clientId)) return null
  const url = new URL(clientId)
  if (url.href !== clientId || url.pathname === "/" || url.port !== "" || url.username !== "" || url.password !== "" || clientId.includes("#")) return null
  return HOST.test(url.hostname) ? url : null
}
