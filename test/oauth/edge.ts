/** The edge of a tunnel: ends TLS for the public name and passes requests on to the gateway's loopback port, with headers of its own. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A fresh self-signed certificate for these names. */
export function selfSigned(...names: readonly string[]): Certificate {
  const directory = mkdtempSync(join(tmpdir(), "cert-"))
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")]
  const made = Bun.spawnSync([
    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
    "-keyout", key, "-out", cert, "-subj", `/CN=${names[0]}`, "-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`,
  ])
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  const result = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  rmSync(directory, { recursive: true })
  return result
}

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
