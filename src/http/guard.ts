/** The first check of every request, before credentials: which names it may use for us, and which pages may send it. */
import type { MiddlewareHandler } from "hono"
import type { Config } from "../config/config.ts"
import { refuse } from "./json.ts"

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]

/** What a browser client needs to send; `Mcp-Param-*` besides, which CORS has no wildcard for. */
const CORS_HEADERS = new Set([
  "authorization",
  "content-type",
  "accept",
  "last-event-id",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
])
const CORS_MAX_AGE_S = 600

/** The name in a Host header, in lower case, without its port; IPv6 stays in its brackets. Null for what is no single host. */
export function hostName(host: string): string | null {
  return /^(\[[0-9a-f:.]+\]|[^\s:/,@[\]]+)(:\d*)?$/.exec(host.toLowerCase())?.[1] ?? null
}

/**
 * Host: a loopback name, the public host or one of allowedHosts, else 421, which keeps DNS rebinding out. Origin: none, our own public one
 * or one of allowedOrigins, else 403 (contract §7). An allowed Origin gets its CORS headers and its preflight answered.
 */
export function createGuard({ publicUrl, allowedHosts, allowedOrigins }: Pick<Config, "publicUrl" | "allowedHosts" | "allowedOrigins">): MiddlewareHandler {
  const ours = publicUrl === null ? null : new URL(publicUrl)
  const hosts = new Set<string | null>([...LOOPBACK, ...(ours === null ? [] : [ours.host]), ...allowedHosts].map(hostName).filter((name) => name !== null))
  const origins = new Set([...(ours === null ? [] : [ours.origin]), ...allowedOrigins].map((origin) => origin.toLowerCase()))

  return async (context, next) => {
    const { headers } = context.req.raw
    const host = headers.get("host")
    if (host === null || !hosts.has(hostName(host))) return secured(refuse(421, "misdirected_request", "this gateway does not go by that Host"))
    const origin = headers.get("origin")
    if (origin !== null && !origins.has(origin.toLowerCase())) return secured(refuse(403, "origin_not_allowed", "requests from this Origin are not allowed"))

    if (origin !== null && context.req.method === "OPTIONS" && headers.has("access-control-request-method")) {
      return secured(withCors(preflight(headers.get("access-control-request-headers") ?? ""), origin))
    }
    await next()
    secured(context.res)
    if (origin !== null) withCors(context.res, origin)
    return undefined
  }
}

function secured(response: Response): Response {
  const { headers } = response
  // A stream says `no-cache, no-transform` itself: a proxy must neither keep nor buffer it.
  if (!headers.has("cache-control")) headers.set("Cache-Control", "no-store")
  headers.set("X-Content-Type-Options", "nosniff")
  return response
}

function withCors(response: Response, origin: string): Response {
  response.headers.set("Access-Control-Allow-Origin", origin)
  response.headers.set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
  response.headers.append("Vary", "Origin")
  return response
}

function preflight(asked: string): Response {
  const names = asked.split(",").map((name) => name.trim().toLowerCase())
  const allowed = names.filter((name) => CORS_HEADERS.has(name) || /^mcp-param-[a-z0-9-]+$/.test(name))
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
      "Access-Control-Allow-Headers": [...new Set([...CORS_HEADERS, ...allowed])].join(", "),
      "Access-Control-Max-Age": String(CORS_MAX_AGE_S),
    },
  })
}
