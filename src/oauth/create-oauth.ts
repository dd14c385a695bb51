/** The embedded authorization server: OAuth 2.1 as MCP clients use it, with one operator and no accounts (protocol §3, §6). */
import type { Hono } from "hono"
import type { Audit } from "../audit/audit.ts"
import type { Config } from "../config/config.ts"
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
  /** What a refusal at a mount tells a client. */
  challengeResource(mount: string): { readonly metadataUrl: string; readonly scope: string }
  /** The URL that tokens for a mount are bound to. */
  resourceOf(mount: string): string
}

/**
 * On with an operator secret and a public https URL, unless configured off; null = off.
 * A public URL with a path keeps it off: clients look for our documents at the root of the origin, which then is somebody else's.
 */
export function createOauth({ config, state, audit, services, fetchDocument = fetchFromTheWeb }: OauthOptions): Oauth | null {
  const { publicUrl } = config
  if (config.oauth === "off" || publicUrl === null || !state.operatorSecret.exists) return null
  const { origin, protocol, pathname } = new URL(publicUrl)
  if (protocol !== "https:" || pathname !== "/") {
    audit.event("oauth_off", { reason: `SERVERFS_PUBLIC_URL ${protocol === "https:" ? "has a path" : "is not https"}` }, "WARNING")
    return null
  }
  const offers = offersOf(services, config, origin)
  const consent = new Consent({ issuer: origin, state, audit, attempts: new Attempts(), fetchDocument })
  return {
    routes: createRoutes({ issuer: origin, offers, state, audit, consent }),
    challengeResource: (mount) => ({ metadataUrl: `${origin}${RESOURCE_METADATA}${mount}`, scope: SCOPE }),
    resourceOf: (mount) => origin + mount,
  }
}
