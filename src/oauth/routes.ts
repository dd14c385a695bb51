/** The authorization server's addresses, and how often each may be used. */
import { type Context, Hono } from "hono"
import type { Audit } from "../audit/audit.ts"
import { onlyRead } from "../http/refusal.ts"
import type { State } from "../state/state.ts"
import { answer, challenged, oauthError } from "./answer.ts"
import { authorizationRequest, RequestFault } from "./authorization-request.ts"
import { browserOf, isOwnForm } from "./browser.ts"
import type { Consent, Sent } from "./consent.tsx"
import { bodyText, formOf, formParameters, ParameterFault, type Parameters, queryParameters } from "./form.ts"
import { PATHS, RESOURCE_METADATA, resourceMetadata, SERVER_METADATA, serverMetadata } from "./metadata.ts"
import type { Offer } from "./offers.ts"
import { RateLimit } from "./rate-limit.ts"
import { registerEndpoint } from "./register.ts"
import { revokeEndpoint } from "./revoke.ts"
import { sourceOf } from "./source.ts"
import { tokenEndpoint } from "./token.ts"

/** What the listener knows of a request. */
export interface OauthEnv {
  Bindings: { readonly clientAddress?: () => string | null }
}

export interface RoutesOptions {
  readonly issuer: string
  readonly offers: readonly Offer[]
  readonly state: State
  readonly audit: Audit
  readonly consent: Consent
}

type Handle = (context: Context<OauthEnv>, now: number) => Response | Promise<Response>

const EVERYBODY = "everybody"

export function createRoutes({ issuer, offers, state, audit, consent }: RoutesOptions): Hono<OauthEnv> {
  const routes = new Hono<OauthEnv>({ strict: false })
  const documents: readonly (readonly [path: string, document: object])[] = [
    ...offers.slice(0, 1).map((first) => [RESOURCE_METADATA, resourceMetadata(issuer, first)] as const),
    ...offers.map((offer) => [RESOURCE_METADATA + offer.mount, resourceMetadata(issuer, offer)] as const),
    [SERVER_METADATA, serverMetadata(issuer)],
  ]
  for (const [path, document] of documents) routes.get(path, () => Response.json(document)).all(onlyRead)

  const limits = {
    authorize: new RateLimit({ burst: 20, perMinute: 20 }),
    token: new RateLimit({ burst: 60, perMinute: 60 }),
    register: new RateLimit({ burst: 10, perMinute: 0.5 }),
    // With it, pushing everybody else's registration out of the state takes hours.
    registerAll: new RateLimit({ burst: 60, perMinute: 2 }),
  }
  const token = tokenEndpoint({ state, audit })
  const revoke = revokeEndpoint({ state, audit })
  const register = registerEndpoint({ clients: state.clients, audit })

  /** Faults of a program's request are told to it in JSON. */
  const program = (limit: (source: string, now: number) => number, handle: Handle) => async (context: Context<OauthEnv>): Promise<Response> => {
    const now = Date.now()
    const wait = limit(sourceOf(addressOf(context)), now)
    if (wait > 0) return oauthError("temporarily_unavailable", `too many requests: try again in ${wait} s`, wait)
    try {
      return await handle(context, now)
    } catch (error) {
      if (error instanceof ParameterFault) return oauthError("invalid_request", error.message)
      throw error
    }
  }
  const parameters = (endpoint: (given: Parameters, now: number) => Response) =>
    program((source, now) => limits.token.take(source, now), async (context, now) => {
      const request = context.req.raw
      return challenged(endpoint(await formParameters(request), now), request.headers.get("authorization"))
    })

  routes.post(PATHS.token, parameters(token))
  routes.post(PATHS.revoke, parameters(revoke))
  routes.post(PATHS.register, program(
    (source, now) => limits.register.take(source, now) || limits.registerAll.take(EVERYBODY, now),
    async (context, now) => register(await bodyText(context.req.raw), addressOf(context), now),
  ))

  /** Faults of a person's request are told on a page, and never sent on. */
  const person = (handle: Handle) => async (context: Context<OauthEnv>): Promise<Response> => {
    const now = Date.now()
    const wait = limits.authorize.take(sourceOf(addressOf(context)), now)
    if (wait > 0) return consent.tooMany(wait)
    try {
      return await handle(context, now)
    } catch (error) {
      if (error instanceof RequestFault) return consent.message("This can’t be granted", error.message, error.advice, 400)
      if (error instanceof ParameterFault) return consent.message("This can’t be granted", `The request is malformed: ${error.message}.`, "Start again in the application.", 400)
      throw error
    }
  }
  const form = (step: (sent: Sent) => Promise<Response>) => person(async (context, now) => {
    const request = context.req.raw
    if (!isOwnForm(request, issuer)) return consent.expired()
    const address = addressOf(context)
    return step({ form: await formOf(request), browser: browserOf(request), address, source: sourceOf(address), now })
  })

  routes.get(PATHS.authorize, person((context, now) =>
    consent.begin(authorizationRequest(queryParameters(context.req.url), state.clients, offers), browserOf(context.req.raw), now)))
  routes.post(`${PATHS.authorize}/secret`, form((sent) => consent.unlock(sent)))
  routes.post(`${PATHS.authorize}/decision`, form((sent) => consent.decide(sent)))

  for (const path of [PATHS.token, PATHS.revoke, PATHS.register]) routes.all(path, onlyPost)
  routes.all(PATHS.authorize, onlyRead)
  routes.all(`${PATHS.authorize}/:step`, () => consent.expired())
  return routes
}

function onlyPost(): Response {
  const refused = answer({ error: "invalid_request", error_description: "only POST works here" }, 405)
  refused.headers.set("Allow", "POST")
  return refused
}

function addressOf(context: Context<OauthEnv>): string | null {
  return context.env.clientAddress?.() ?? null
}
