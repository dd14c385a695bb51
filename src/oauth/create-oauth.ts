/** The embedded authorization server: OAuth 2.1 as MCP clients use it, with one operator and no accounts (protocol §3, §6). */
import type { Hono } from "hono"
import type { Audit } from "../audit/audit.ts"
import type { Config } from "../config/config.ts"
import { whyOauthIsOff } from "../config/oauth-switch.ts"
import type { ChallengeResource } from "../http/auth/challenge.ts"
import type { Service } from "../mcp/service.ts"
import type { State } from "../state/state.ts"
import { Attempts } from "./attempts.ts"
import { Consent } from "./consent.tsx"
import { fetchDocument as fetchFromTheWeb } from "./document/fetch-document.ts"
import { RESOURCE_METADATA, SCOPE } from "./metadata.ts"
import { offersOf } from "./offers.ts"
import { createRoutes, type OauthEnv } from "./routes.ts"

export interface OauthOptions {
  readonly config: Pick<Config, "publicUrl" | "oauth" | "workdirs">
  readonly state: State
  readonly audit: Audit
  readonly services: readonly Service[]
  /** How a client's description is had. */
  readonly fetchDocument?: (url: URL) => Promise<string>
}

export interface Oauth {
  /** To be mounted at the root, behind the guard. */
  readonly routes: Hono<OauthEnv>
  /** What a refusal at a mount tells a client; null where no grant opens anything. */
  challengeResource(mount: string): ChallengeResource | null
  /** The URL that tokens for a mount are bound to. */
  resourceOf(mount: string): string
}

/** null = off. What keeps it off after an operator has set a secret for it goes into the log. */
export function createOauth({ config, state, audit, services, fetchDocument = fetchFromTheWeb }: OauthOptions): Oauth | null {
  const { publicUrl } = config
  if (config.oauth === "off" || publicUrl === null || !state.operatorSecret.exists) return null
  const reason = whyOauthIsOff(config, true)
  if (reason !== null) {
    audit.event("oauth_off", { reason }, "WARNING")
    return null
  }
  const { origin } = new URL(publicUrl)
  const offers = offersOf(services, config, origin)
  const consent = new Consent({ issuer: origin, state, audit, attempts: new Attempts(), fetchDocument })
  return {
    routes: createRoutes({ issuer: origin, offers, state, audit, consent }),
    challengeResource: (mount) => (offers.some((offer) => offer.mount === mount) ? { metadataUrl: `${origin}${RESOURCE_METADATA}${mount}`, scope: SCOPE } : null),
    resourceOf: (mount) => origin + mount,
  }
}
