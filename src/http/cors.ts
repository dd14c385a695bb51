/** What a browser client of an allowed Origin is told. No credentials mode: the bearer token travels in a header. */

const HEADERS = [
  "authorization",
  "content-type",
  "accept",
  "last-event-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
] as const

/** Named by each tool's schema; CORS has no wildcard for a prefix, so those that are asked for are allowed one by one. */
const PARAMETER = /^mcp-param-[a-z0-9-]+$/

const MAX_AGE_S = 600

export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method")
}

/** Answers a preflight; allow() still has to name the Origin. */
export function preflight(request: Request): Response {
  const asked = (request.headers.get("access-control-request-headers") ?? "").toLowerCase().split(",")
  const parameters = asked.map((name) => name.trim()).filter((name) => PARAMETER.test(name))
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
      "Access-Control-Allow-Headers": [...HEADERS, ...parameters].join(", "),
      "Access-Control-Max-Age": String(MAX_AGE_S),
    },
  })
}

/** Lets pages of this Origin, which has been found good, read the answer. */
export function allow(origin: string, response: Response): Response {
  response.headers.set("Access-Control-Allow-Origin", origin)
  response.headers.set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After, Mcp-Session-Id")
  response.headers.append("Vary", "Origin")
  return response
}
