/** The kinds of variable that speak of hosts, addresses and URLs. */
import { isIP } from "node:net"
import { SERVICES } from "../../service-mounts.ts"
import type { MetricsConfig } from "../config.ts"
import { boolean, integer, type Kind } from "./kind.ts"

const HOST_NAME = /^[a-z0-9_]([a-z0-9._-]*[a-z0-9])?$/i

/** A name or IPv4 address as it may stand in a Host header; dotted numbers that are no address are not a name. */
function isHostName(value: string): boolean {
  return /^[\d.]+$/.test(value) ? isIP(value) === 4 : HOST_NAME.test(value)
}

/** Where to listen: an address, or a name that resolves to one. IPv6 without brackets. */
export const bindHost: Kind<string> = {
  accepts: "an IP address or a host name, without a port",
  parse: (text) => {
    const bare = text.replace(/^\[(.*)\]$/, "$1")
    if (isIP(bare) === 6) return bare
    return isHostName(text) ? text.toLowerCase() : undefined
  },
}

/** A name of a Host header, lower case and without its port, which is not compared. IPv6 in brackets. */
export const allowedHost: Kind<string> = {
  accepts: "a host name or address, without scheme, path or wildcard",
  parse: (text) => {
    const host = text.replace(/:\d+$/, "").toLowerCase()
    const inner = /^\[(.*)\]$/.exec(host)?.[1]
    if (inner !== undefined) return isIP(inner) === 6 ? new URL(`http://${host}`).hostname : undefined
    if (isIP(text) === 6) return new URL(`http://[${text}]`).hostname
    return isHostName(host) ? host : undefined
  },
}

function parsedUrl(text: string): URL | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** An Origin header's value: scheme, host, port unless it is the scheme's own; nothing more, never `null` or `*`. */
export const allowedOrigin: Kind<string> = {
  accepts: "an origin such as https://app.example.org, without path or wildcard",
  parse: (text) => {
    const url = parsedUrl(text)
    if (url === undefined || url.host === "" || url.host.includes("*")) return undefined
    const origin = `${url.protocol}//${url.host}`
    return text.toLowerCase().replace(/\/$/, "") === origin ? origin : undefined
  },
}

/** As clients are given it: pasted whole, the mount would come twice. */
function endsInMount({ pathname }: URL): boolean {
  const path = pathname.replace(/\/+$/, "")
  return SERVICES.some(({ mount }) => path.endsWith(mount))
}

/** What remote clients use. Comes back without a trailing slash. */
export const publicUrl: Kind<string> = {
  accepts: "an http or https URL without user name, query, fragment or /mcp at its end (which is added to it), such as https://files.example.org",
  parse: (text) => {
    const url = parsedUrl(text)
    if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
    if (/[?#@]/.test(text) || endsInMount(url)) return undefined
    return `${url.origin}${url.pathname}`.replace(/\/+$/, "")
  },
  secret: "refused",
}

/** A peer's address or a CIDR block. */
export const proxy: Kind<string> = {
  accepts: "an IP address or a block such as 10.0.0.0/8",
  parse: (text) => {
    const [address = "", bits, ...rest] = text.split("/")
    const version = isIP(address)
    if (version === 0 || rest.length > 0) return undefined
    if (bits === undefined) return text
    return integer(0, version === 4 ? 32 : 128).parse(bits) === undefined ? undefined : text
  },
}

const metricsPort = integer(1024, 65535)

/** A switch, so every spelling of one will do: ports below 1024 are left out, and `1` is no port. */
export const metrics: Kind<MetricsConfig | null> = {
  accepts: `off, on, or ${metricsPort.accepts}`,
  parse: (text) => {
    const on = boolean.parse(text)
    if (on !== undefined) return on ? { port: null } : null
    const port = metricsPort.parse(text)
    return port === undefined ? undefined : { port }
  },
}
