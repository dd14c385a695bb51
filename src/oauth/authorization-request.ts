/** What a client asks for, as it stands in the URL that its user followed. */
import { documentUrl } from "./client-id.ts"
import type { Parameters } from "./form.ts"
import type { Offer } from "./offers.ts"
import { isRegistered, type RedirectTarget, redirectTarget } from "./redirect-uri.ts"
import type { Clients } from "../state/clients.ts"

/** The client as far as it is known before its description may be fetched. */
export interface Asker {
  readonly id: string
  /** What it calls itself, which proves nothing; null = its description was not fetched yet. */
  readonly name: string | null
  /** The site that vouches for it by the description there; null = it registered itself. */
  readonly host: string | null
}

export interface AuthorizationRequest {
  readonly asker: Asker
  readonly target: RedirectTarget
  readonly challenge: string
  readonly state: string | null
  /** What was asked for; more than one only when the client did not say and the operator has to. */
  readonly offers: readonly Offer[]
}

/** The request can't be honoured; said on a page of ours, since whom to send it to is just what is in doubt. */
export class RequestFault extends Error {
  override readonly name = "RequestFault"
  readonly advice: string

  /** Sentences for the operator. */
  constructor(message: string, advice = "Start again in the application. If this comes again, tell its makers.") {
    super(message)
    this.advice = advice
  }
}

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

export function authorizationRequest(parameters: Parameters, clients: Clients, offers: readonly Offer[]): AuthorizationRequest {
  const clientId = parameters.get("client_id")
  const redirectUri = parameters.get("redirect_uri")
  if (clientId === undefined) throw new RequestFault("The request does not say which application it comes from.")
  if (redirectUri === undefined) throw new RequestFault("The request does not say where the answer should go.")
  const target = redirectTarget(redirectUri)
  if (target === null) throw new RequestFault("The address that the answer should go to is not acceptable.")
  const asker = askerOf(clientId, target, clients)

  if (parameters.get("response_type") !== "code") throw new RequestFault("The application asks for something else than an authorization code.")
  if ((parameters.get("response_mode") ?? "query") !== "query") throw new RequestFault("The application wants the answer in a way that this gateway does not have.")
  const challenge = parameters.get("code_challenge") ?? ""
  if (parameters.get("code_challenge_method") !== "S256" || !CHALLENGE.test(challenge)) {
    throw new RequestFault("The request lacks what would tie the answer to its sender (PKCE with S256), and this gateway insists on that.")
  }
  const resource = parameters.get("resource")
  const asked = resource === undefined ? offers : offers.filter((offer) => offer.resource === withoutSlash(resource))
  if (asked.length === 0) throw new RequestFault("What the application asks access to is not on this gateway.")
  return { asker, target, challenge, state: parameters.get("state") ?? null, offers: asked }
}

/** Some clients write a URL with a slash at its end whatever they were told. */
export function withoutSlash(resource: string): string {
  return resource.replace(/\/$/, "")
}

function askerOf(clientId: string, target: RedirectTarget, clients: Clients): Asker {
  const url = documentUrl(clientId)
  if (url !== null) return { id: clientId, name: null, host: url.hostname }
  const client = clients.find(clientId)
  if (client === null) throw new RequestFault("The application is not registered here, or no longer.", "Remove this gateway in the application, and add it again.")
  if (!isRegistered(target.uri, client.redirectUris)) throw new RequestFault("The address that the answer should go to is not one that the application registered.")
  return { id: client.id, name: client.name, host: null }
}
