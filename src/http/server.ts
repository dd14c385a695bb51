/** The listening socket: Bun.serve around the app, and a stop that lets calls in flight finish. */
import type { Config } from "../config/config.ts"
import { ToolError } from "../errors.ts"
import { localUrl } from "../config/local-url.ts"
import { systemErrorCode } from "../system-error.ts"
import type { App } from "./app.ts"
import { MAX_BODY_BYTES } from "./max-body.ts"
import { createClientAddress } from "./client-address.ts"
import { createKeeping } from "./kept-connections.ts"
import { refuseAsTool } from "./refusal.ts"

/** A container's stop grace is 10 s, and a call that hangs must not use it up. */
const STOP_GRACE_MS = 3_000

/** What the answers of interrupted calls need to get out of the process. */
const FLUSH_MS = 100

/** Far beyond our own bound, which answers in JSON and lets a client finish; this one cuts it off. */
const TRANSPORT_MAX_BYTES = 8 * MAX_BODY_BYTES

/** A connection costs a descriptor, and needs no token to be opened. Longer than cloudflared and other clients keep theirs (90 s). */
const IDLE_SECONDS = 120

export interface Listening {
  /** Where it is reached on this machine, such as http://127.0.0.1:8000. */
  readonly url: string
  readonly port: number
  /** Takes no new connection and lets calls in flight finish for 3 s; then has the rest interrupted, and cuts off what is not answered even so. */
  stop(interrupt?: () => Promise<void>): Promise<void>
}

/** Why a port can't be had, going on from it, by the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is taken (--port N takes another, 0 any free one)",
  EACCES: "needs privileges (--port N takes another, above 1023)",
  EADDRNOTAVAIL: "can't be listened on: that is no address of this machine (--host takes one, such as 127.0.0.1)",
}

/** What asks for a port. */
export type PortVariable = "SERVERFS_PORT" | "SERVERFS_METRICS"

/** The port is taken, or the address is not ours: exit status 1, with this message. */
export class ListenError extends Error {
  override readonly name = "ListenError"
  /** What would have to be another. */
  readonly variable: "SERVERFS_HOST" | PortVariable

  constructor(message: string, variable: ListenError["variable"]) {
    super(message)
    this.variable = variable
  }
}

/** Serves the app. Port 0 takes any free one. Throws ListenError. @param by what asks for the port */
export function listen({ host, port, trustedProxies }: Pick<Config, "host" | "port" | "trustedProxies">, app: Pick<App, "fetch" | "close">, by: PortVariable = "SERVERFS_PORT"): Listening {
  const clientAddress = createClientAddress(trustedProxies)
  const server = start(host, port, by, (request, peer) => app.fetch(request, { clientAddress: () => clientAddress(peer(), request.headers) }))
  const bound = server.port ?? port
  return {
    url: localUrl(host, bound),
    port: bound,
    stop: async (interrupt = async () => {}) => {
      const stopped = server.stop()
      const { promise: late, resolve } = Promise.withResolvers<"late">()
      const timer = setTimeout(resolve, STOP_GRACE_MS, "late")
      if ((await Promise.race([stopped, late])) === "late") {
        await interrupt()
        await Promise.race([stopped, Bun.sleep(FLUSH_MS)])
      }
      clearTimeout(timer)
      // Last, since it ends calls in flight as well as streams that would never end.
      await app.close()
      await server.stop(true)
    },
  }
}

type Fetch = (request: Request, peer: () => string | null) => Response | Promise<Response>

function start(hostname: string, port: number, by: PortVariable, fetch: Fetch) {
  const keep = createKeeping()
  try {
    return Bun.serve({
      hostname,
      port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: TRANSPORT_MAX_BYTES,
      development: false,
      // Without `development` Bun shares the port unless told not to: a second gateway, or another user's process, would get half the calls.
      reusePort: false,
      fetch: async (request, server) => {
        // A call that says nothing is not idle: its deadline is its own. A stream's is over when it ends, which nothing tells us here.
        server.timeout(request, 0)
        const response = await fetch(request, () => server.requestIP(request)?.address ?? null)
        if (response.headers.get("content-type") !== "text/event-stream") server.timeout(request, IDLE_SECONDS)
        if (!keep()) response.headers.set("Connection", "close")
        return response
      },
      error: () => refuseAsTool(new ToolError("INTERNAL_ERROR", { detail: "something unforeseen happened" })),
    })
  } catch (thrown) {
    throw refused(hostname, port, by, systemErrorCode(thrown) || String(thrown))
  }
}

function refused(hostname: string, port: number, by: PortVariable, code: string): ListenError {
  const place = `port ${port} on ${hostname}`
  if (by === "SERVERFS_METRICS") {
    const why = code === "EADDRINUSE" ? "is taken" : `can't be listened on (${code})`
    return new ListenError(`${place} ${why}, and SERVERFS_METRICS asks for it (another port there, or on, which serves them on the gateway's own)`, by)
  }
  const reason = REASONS[code] ?? `can't be listened on (${code}): set SERVERFS_HOST to an address of this machine, such as 127.0.0.1`
  return new ListenError(`${place} ${reason}`, code === "EADDRINUSE" || code === "EACCES" ? "SERVERFS_PORT" : "SERVERFS_HOST")
}
