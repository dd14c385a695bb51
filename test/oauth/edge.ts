/** The edge of a tunnel: ends TLS for the public name and passes requests on to the gateway's loopback port, with headers of its own. */
import { selfSigned } from "./self-signed.ts"

export interface Edge extends AsyncDisposable {
  /** https://localhost:PORT */
  readonly url: string
  readonly port: number
  /** Whom it trusts, for clients that have to trust it. */
  readonly cert: string
  /** fetch that trusts it and follows no redirect. */
  readonly fetch: typeof fetch
  /** Where the gateway listens, once it does. */
  connect(url: string): void
  /** The address that clients seem to have. */
  clientAddress: string
}

export function openEdge(): Edge {
  const { key, cert } = selfSigned("localhost")
  let target = ""
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key, cert },
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set("CF-Connecting-IP", edge.clientAddress)
      headers.set("X-Forwarded-For", edge.clientAddress)
      headers.set("X-Forwarded-Proto", "https")
      headers.set("CF-Ray", "8f0000000000000-TST")
      const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer()
      return fetch(target + pathname + search, { method: request.method, headers, body, redirect: "manual", decompress: false })
    },
  })
  const port = server.port ?? 0
  const trusting = (url: string | URL | Request, init?: RequestInit) => fetch(url, { redirect: "manual", ...init, tls: { ca: cert } })
  const edge: Edge = {
    url: `https://localhost:${port}`,
    port,
    cert,
    fetch: Object.assign(trusting, { preconnect: fetch.preconnect }),
    clientAddress: "198.51.100.7",
    connect: (url) => {
      target = url
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
  return edge
}
