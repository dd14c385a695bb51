import type { Limits } from "../../src/config/config.ts"
import { type App, type AppOptions, createApp } from "../../src/http/app.ts"
import type { Authenticator } from "../../src/http/auth/authenticator.ts"
import { type Listening, listen } from "../../src/http/server.ts"
import type { Principal } from "../../src/principal.ts"
import { AuditLog } from "./audit-log.ts"
import { fixtureService } from "./fixture-service.ts"
import { LIMITS } from "./limits.ts"

const ALL: Principal = { name: "static", mounts: null, workdirs: null, readOnly: false }

/** Tokens by name; the header is `Bearer NAME`. */
export const PRINCIPALS: Readonly<Record<string, Principal>> = {
  full: ALL,
  reader: { ...ALL, name: "reader", readOnly: true },
  narrow: { ...ALL, name: "narrow", workdirs: new Set(["ro"]) },
  elsewhere: { ...ALL, name: "elsewhere", mounts: new Set(["/other"]) },
}

/** Knows the tokens above and nothing else. */
export const authenticator: Authenticator = {
  verify: (authorization) => {
    const principal = PRINCIPALS[/^bearer (\w+)$/i.exec(authorization ?? "")?.[1] ?? ""]
    if (principal !== undefined) return { principal }
    return { refused: authorization === null ? "missing" : "invalid" }
  },
}

export interface FixtureApp {
  readonly app: App
  readonly audit: AuditLog
  /** Drives the app without a socket, with Host and the `full` token unless the headers say otherwise. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** POSTs a JSON-RPC message of an older revision. */
  rpc(method: string, params?: object, init?: RequestInit): Promise<RpcAnswer>
}

export interface RpcAnswer {
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export interface FixtureAppOptions extends Omit<Partial<AppOptions>, "config"> {
  readonly config?: Partial<AppOptions["config"]>
  readonly limits?: Partial<Limits>
}

export function fixtureApp({ limits, config, ...options }: FixtureAppOptions = {}): FixtureApp {
  const audit = new AuditLog()
  const app = createApp({
    services: [fixtureService(), fixtureService({ name: "other", mount: "/other", resources: false })],
    authenticator,
    audit,
    config: { host: "127.0.0.1", publicUrl: "https://gate.example.net", allowedHosts: [], allowedOrigins: ["https://app.example.org"], limits: { ...LIMITS, ...limits }, ...config },
    version: "1.2.3",
    challenge: (problem) => `Bearer error="${problem}"`,
    ...options,
  })
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ host: "localhost", authorization: "Bearer full" })
    new Headers(init.headers).forEach((value, name) => (value === "" ? headers.delete(name) : headers.set(name, value)))
    return app.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
  }
  const rpc = async (method: string, params: object = {}, init: RequestInit = {}): Promise<RpcAnswer> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const answer = await request("/mcp", { method: "POST", body, ...init, headers: { "content-type": "application/json", ...init.headers } })
    return (await answer.json()) as RpcAnswer
  }
  return { app, audit, request, rpc }
}

/** The same app on a real port, ended by `await using`. */
export function listening(fixture: FixtureApp, trustedProxies: readonly string[] = []): Listening & AsyncDisposable {
  const server = listen({ host: "127.0.0.1", port: 0, trustedProxies }, fixture.app)
  return { ...server, [Symbol.asyncDispose]: () => server.stop() }
}
