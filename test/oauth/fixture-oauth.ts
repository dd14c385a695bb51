/** The gateway as it stands behind a tunnel, with the authorization server on. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Config } from "../../src/config/config.ts"
import { createApp } from "../../src/http/app.ts"
import { createChallenge } from "../../src/http/auth/challenge.ts"
import { createAuthenticator } from "../../src/http/auth/create-authenticator.ts"
import { listen } from "../../src/http/server.ts"
import type { Service } from "../../src/mcp/service.ts"
import { createOauth, type Oauth } from "../../src/oauth/create-oauth.ts"
import { openState, type State } from "../../src/state/state.ts"
import { AuditLog } from "../helpers/audit-log.ts"
import { fixtureService } from "../helpers/fixture-service.ts"
import { LIMITS } from "../helpers/limits.ts"
import { openEdge, type Edge } from "./edge.ts"

export const SECRET = "correct horse battery staple"

export interface OauthFixture extends AsyncDisposable {
  readonly edge: Edge
  /** The public origin, which is the issuer. */
  readonly url: string
  readonly state: State
  readonly stateDir: string
  readonly audit: AuditLog
  readonly oauth: Oauth
  /** fetch through the edge, trusting its certificate and following no redirect. */
  readonly fetch: typeof fetch
}

export interface OauthFixtureOptions {
  readonly services?: readonly Service[]
  readonly workdirs?: Config["workdirs"]
  readonly fetchDocument?: (url: URL) => Promise<string>
  /** Something between the edge and the gateway, which listens at `origin`. */
  readonly through?: (origin: string, publicHost: string) => Promise<{ readonly url: string } & AsyncDisposable>
}

export const notes = (): Service => fixtureService()
export const other = (): Service => ({ ...fixtureService({ name: "other", mount: "/other" }), title: "Other notes" })

export async function oauthFixture({ services = [notes(), other()], workdirs = [], fetchDocument, through }: OauthFixtureOptions = {}): Promise<OauthFixture> {
  const stateDir = join(mkdtempSync(join(tmpdir(), "oauth-")), "state")
  const state = openState(stateDir)
  await state.operatorSecret.set(SECRET, Date.now())
  const edge = openEdge()
  const audit = new AuditLog()
  const config = {
    publicUrl: edge.url,
    oauth: "auto" as const,
    token: null,
    workdirs,
    host: "127.0.0.1",
    allowedHosts: [],
    allowedOrigins: ["https://app.example.org"],
    limits: LIMITS,
  }
  const oauth = createOauth({ config, state, audit, services, ...(fetchDocument && { fetchDocument }) })
  if (oauth === null) throw new Error("OAuth is off")
  const authenticator = createAuthenticator({ config, state, resourceOf: oauth.resourceOf })
  const app = createApp({ services, authenticator, audit, config, version: "1.2.3", challenge: createChallenge(oauth.challengeResource) })
  app.routes.route("/", oauth.routes)
  const listening = listen({ host: "127.0.0.1", port: 0, trustedProxies: ["127.0.0.1"] }, app)
  const between = await through?.(listening.url, new URL(edge.url).host)
  edge.connect(between?.url ?? listening.url)
  return {
    edge,
    url: edge.url,
    state,
    stateDir,
    audit,
    oauth,
    fetch: edge.fetch,
    [Symbol.asyncDispose]: async () => {
      await edge[Symbol.asyncDispose]()
      await between?.[Symbol.asyncDispose]()
      await listening.stop()
      state[Symbol.dispose]()
      rmSync(join(stateDir, ".."), { recursive: true })
    },
  }
}
