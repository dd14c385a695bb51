/** What a client of either SDK line keeps of an authorization. */
import { randomUUID } from "node:crypto"

interface ClientInformation {
  readonly client_id: string
}

interface Tokens {
  readonly access_token: string
  readonly token_type: string
  readonly refresh_token?: string | undefined
}

interface Discovery {
  readonly authorizationServerUrl: string
}

export class MemoryProvider {
  readonly redirectUrl: string
  readonly clientMetadata: { client_name: string; redirect_uris: string[]; token_endpoint_auth_method: string }
  readonly clientMetadataUrl?: string
  /** Where it sent its user. */
  readonly authorizations: string[] = []
  readonly #state = randomUUID()
  #client: ClientInformation | undefined
  #tokens: Tokens | undefined
  #discovery: Discovery | undefined
  #verifier = ""

  constructor(redirectUrl: string, document: string | null) {
    this.redirectUrl = redirectUrl
    this.clientMetadata = { client_name: "SDK client", redirect_uris: [redirectUrl], token_endpoint_auth_method: "none" }
    if (document !== null) this.clientMetadataUrl = document
  }

  get clientId(): string {
    return this.#client?.client_id ?? ""
  }

  get current(): Tokens {
    if (this.#tokens === undefined) throw new Error("there are no tokens")
    return this.#tokens
  }

  state(): string {
    return this.#state
  }

  clientInformation(): ClientInformation | undefined {
    return this.#client
  }

  saveClientInformation(client: ClientInformation): void {
    this.#client = client
  }

  tokens(): Tokens | undefined {
    return this.#tokens
  }

  saveTokens(tokens: Tokens): void {
    this.#tokens = tokens
  }

  discoveryState(): Discovery | undefined {
    return this.#discovery
  }

  saveDiscoveryState(discovery: Discovery): void {
    this.#discovery = discovery
  }

  redirectToAuthorization(url: URL): void {
    this.authorizations.push(url.href)
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  invalidateCredentials(scope: string): void {
    if (scope === "all" || scope === "tokens") this.#tokens = undefined
    if (scope === "all" || scope === "client") this.#client = undefined
  }
}
