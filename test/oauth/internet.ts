/** The Internet as far as tests need it: one name, one public address, one TLS server with good and bad documents. */
import type { Network } from "../../src/oauth/document/fetch-document.ts"
import { selfSigned } from "./self-signed.ts"

export const HOST = "docs.example.org"
export const PUBLIC = "93.184.216.34"
export const url = (path: string): URL => new URL(`https://${HOST}${path}`)

const certificate = selfSigned(HOST)
export const seen: { path: string; host: string | null }[] = []
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: certificate,
  routes: {
    "/client.json": () => Response.json({ ok: true }),
    "/moved": () => new Response(null, { status: 302, headers: { Location: "/client.json" } }),
    "/outside": () => new Response(null, { status: 301, headers: { Location: "https://127.0.0.1/secret" } }),
    "/html": () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
    "/plus": () => new Response("{}", { headers: { "Content-Type": "application/client-metadata+json; charset=utf-8" } }),
    "/full": () => new Response(" ".repeat(10_240), { headers: { "Content-Type": "application/json" } }),
    "/large": () => new Response(" ".repeat(10_241), { headers: { "Content-Type": "application/json" } }),
    "/latin1": () => new Response(new Uint8Array([0x22, 0xe9, 0x22]), { headers: { "Content-Type": "application/json" } }),
    "/bomb": () => new Response(Bun.gzipSync(new Uint8Array(5_000_000)), { headers: { "Content-Type": "application/json", "Content-Encoding": "gzip" } }),
    "/endless": () => new Response(new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(4096)) }), { headers: { "Content-Type": "application/json" } }),
    "/silent": () => new Promise<Response>(() => {}),
    "/stuck": () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(8)) }), { headers: { "Content-Type": "application/json" } }),
  },
  fetch: () => new Response(null, { status: 404 }),
})
// Test files share this module: the server ends with the process.
server.unref()

/** The Internet as far as it is here: connections to the public address come out at the server above. */
export function internet(resolve: Network["resolve"] = async () => [PUBLIC]): Network & { readonly connected: string[] } {
  const connected: string[] = []
  return {
    connected,
    resolve,
    fetch: (target, init) => {
      const { host, pathname } = new URL(target)
      connected.push(host)
      seen.push({ path: pathname, host: new Headers(init.headers).get("host") })
      if (host !== PUBLIC) return Promise.reject(new Error("unreachable"))
      return fetch(`https://127.0.0.1:${server.port}${pathname}`, { ...init, tls: { ...init.tls, ca: certificate.cert } })
    },
  }
}
