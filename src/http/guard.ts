/** The first check of every request, before credentials: which names it may use for us, and which pages may send it. */
import type { MiddlewareHandler } from "hono"
import type { Config } from "../config/config.ts"
import { reachableName } from "../config/local-url.ts"
import { allow, isPreflight, preflight } from "./cors.ts"
import { refuse } from "./refusal.ts"

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]

/** A percent sign before the query. */
const ENCODED_PATH = /^[^?#]*%/

const MAX_PORT = 65_535

/** The name in a Host header, in lower case, without its port; IPv6 stays in its brackets. Null for what is no single host, or has a port that is none. */
export function hostName(host: string): string | null {
  const [, name = null, port] = /^(\[[0-9a-f:.]+\]|[^\s:/,@[\]]+)(?::(\d*))?$/.exec(host.toLowerCase()) ?? []
  return Number(port ?? 0) > MAX_PORT ? null : name
}

export interface GuardOptions extends Pick<Config, "host" | "publicUrl" | "allowedHosts" | "allowedOrigins"> {
  /** Told of each refusal, for an operator who has put a proxy in front. Not what was sent: it may be anything, a token too. */
  readonly refused?: (reason: "host" | "origin") => void
}

/**
 * Host: a loopback name, the address it listens on (its URL, as printed at start), the public host or one of allowedHosts, else 421, which
 * keeps DNS rebinding out. Origin: none, our own (the public one, or on loopback the very Host that was just found good) or one of
 * allowedOrigins, else 403 (contract §7). Every answer gets its security headers.
 */
export function createGuard({ host: address, publicUrl, allowedHosts, allowedOrigins, refused: tell }: GuardOptions): MiddlewareHandler {
  const ours = publicUrl === null ? [] : [new URL(publicUrl)]
  const hosts = new Set([...LOOPBACK, reachableName(address), ...ours.map(({ host }) => host), ...allowedHosts].map(hostName))
  hosts.delete(null)
  const origins = new Set([...ours.map(({ origin }) => origin), ...allowedOrigins].map((origin) => origin.toLowerCase()))

  function refusal(host: string | null, origin: string | null): Response | null {
    if (host === null || !hosts.has(hostName(host))) {
      tell?.("host")
      return refuse("misdirected_request")
    }
    if (origin === null || origins.has(origin.toLowerCase()) || isOwnPage(host, origin)) return null
    tell?.("origin")
    return refuse("origin_not_allowed")
  }

  return async (context, next) => {
    const request = context.req.raw
    const origin = request.headers.get("origin")
    const refused = refusal(request.headers.get("host"), origin)
    if (refused !== null) return secured(refused)
    // No address of ours has one, and a proxy that looks at the raw path must not be passed by.
    if (ENCODED_PATH.test(request.url)) return secured(refuse("not_found"))
    if (origin !== null && isPreflight(request)) return secured(allow(origin, preflight(request)))
    await next()
    secured(origin === null ? context.res : allow(origin, context.res))
    return undefined
  }
}

/** A page that this gateway itself would serve on this machine; under a public name only the configured origin is ours. */
function isOwnPage(host: string, origin: string): boolean {
  return origin === `http://${host}` && LOOPBACK.includes(hostName(host) ?? "")
}

function secured(response: Response): Response {
  const { headers } = response
  // A stream says `no-cache, no-transform` itself: a proxy must neither keep nor buffer it.
  if (!headers.has("cache-control")) headers.set("Cache-Control", "no-store")
  headers.set("X-Content-Type-Options", "nosniff")
  return response
}
