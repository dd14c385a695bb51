/** A loopback proxy that treats requests and answers as Cloudflare's edge and cloudflared do, so that tests meet a tunnel's ways without one. */
import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface TunnelOptions {
  /** Where the product listens, such as http://127.0.0.1:8000. */
  readonly origin: string
  /** The host of the public URL. The product sees it as Host, unless rewrittenHost is given. */
  readonly publicHost: string
  /** What `--http-host-header` puts in place of Host; the public one then goes to X-Forwarded-Host. */
  readonly rewrittenHost?: string
  /** The edge gives an origin up that says nothing for so long (about 100 s in reality): 524, or a cut connection once an answer has begun. */
  readonly silenceMs: number
  /** What is held back until it is complete: quick tunnels do so with event streams that answer a GET; `all` is the worst that was reported. */
  readonly holdsBack?: "get" | "all"
  /** Where the client seems to be. */
  readonly clientAddress?: string
}

export interface Tunnel extends AsyncDisposable {
  /** As the client sees it, but for its name and scheme. */
  readonly url: string
  /** How many connections to the origin were opened. */
  readonly connections: number
  /** How many answers were given up for silence. */
  readonly cuts: number
}

const HOP_BY_HOP = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "proxy-connection"])

export async function openTunnel({ origin, publicHost, rewrittenHost, silenceMs, holdsBack, clientAddress = "203.0.113.7" }: TunnelOptions): Promise<Tunnel> {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 90_000, maxSockets: 100 })
  const { hostname, port } = new URL(origin)
  const opened = new Set<unknown>()
  let cuts = 0

  function forwarded(headers: IncomingHttpHeaders): Record<string, string | string[]> {
    const kept = Object.entries(headers).flatMap(([name, value]) => (value === undefined || HOP_BY_HOP.has(name) ? [] : [[name, value] as const]))
    return {
      ...Object.fromEntries(kept),
      host: rewrittenHost ?? publicHost,
      ...(rewrittenHost === undefined ? {} : { "x-forwarded-host": publicHost }),
      "accept-encoding": "gzip, br",
      "cdn-loop": "cloudflare; loops=1",
      "cf-connecting-ip": clientAddress,
      "cf-ipcountry": "XX",
      "cf-ray": "9a1b2c3d4e5f6789-TST",
      "cf-visitor": '{"scheme":"https"}',
      // The edge appends: what a client wrote itself stays in front.
      "x-forwarded-for": [headers["x-forwarded-for"], clientAddress].filter(Boolean).join(", "),
      "x-forwarded-proto": "https",
    }
  }

  function relay(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const onward = request({ agent, hostname, port, method: incoming.method, path: incoming.url, headers: forwarded(incoming.headers) })
    let timer: ReturnType<typeof setTimeout> | undefined
    const heard = (): void => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, silenceMs)
    }
    const giveUp = (): void => {
      cuts += 1
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(524, { "content-type": "text/html" }).end("<html>error code: 524</html>")
      onward.destroy()
    }
    onward.on("socket", (socket) => opened.add(socket))
    onward.on("error", () => {
      clearTimeout(timer)
      if (!outgoing.headersSent) outgoing.writeHead(502, { "content-type": "text/html" }).end("<html>error code: 502</html>")
    })
    onward.on("response", (answer) => {
      heard()
      const held = holds(answer, incoming.method) ? [] as Buffer[] : null
      const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name)))
      const begin = (): void => { outgoing.writeHead(answer.statusCode ?? 502, { ...headers, server: "cloudflare", "cf-ray": "9a1b2c3d4e5f6789-TST" }) }
      if (held === null) begin()
      answer.on("data", (chunk: Buffer) => {
        heard()
        if (held === null) outgoing.write(chunk)
        else held.push(chunk)
      })
      answer.on("end", () => {
        clearTimeout(timer)
        if (held !== null) begin()
        outgoing.end(held === null ? undefined : Buffer.concat(held))
      })
      answer.on("error", () => outgoing.destroy())
    })
    // The edge reads a request whole before it passes it on; what it passes on stops when the client goes away.
    const body: Buffer[] = []
    incoming.on("data", (chunk: Buffer) => body.push(chunk))
    incoming.on("end", () => {
      onward.end(Buffer.concat(body))
      heard()
    })
    outgoing.on("close", () => {
      clearTimeout(timer)
      if (!outgoing.writableFinished) onward.destroy()
    })
  }

  function holds(answer: IncomingMessage, method: string | undefined): boolean {
    if (answer.headers["content-type"]?.startsWith("text/event-stream") !== true) return false
    return holdsBack === "all" || (holdsBack === "get" && method === "GET")
  }

  const server = createServer(relay)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() { return opened.size },
    get cuts() { return cuts },
    [Symbol.asyncDispose]: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
