/** A client and an operator without a browser: plain requests, forms read out of the page. */
import { hash, randomBytes } from "node:crypto"
import { SECRET } from "./fixture-oauth.ts"

/** A gateway as its clients see it. */
export interface Site {
  readonly url: string
  readonly fetch: typeof fetch
}

export const REDIRECT = "https://client.example.net/callback"

export async function registered(site: Site, metadata: object = {}): Promise<string> {
  const answer = await site.fetch(`${site.url}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Test client", redirect_uris: [REDIRECT], ...metadata }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { client_id: string }).client_id
}

export interface Asked {
  readonly url: string
  readonly verifier: string
}

/** An authorization request; a parameter set to null is left out. */
export function asked(site: Site, clientId: string, changes: Record<string, string | null> = {}): Asked {
  const verifier = randomBytes(32).toString("base64url")
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256",
    state: "the state",
    resource: `${site.url}/mcp`,
    ...changes,
  }
  const query = new URLSearchParams(Object.entries(parameters).filter((each): each is [string, string] => each[1] !== null))
  return { url: `${site.url}/authorize?${query}`, verifier }
}

export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Of its form; null when it has none. */
  readonly id: string | null
  readonly cookie: string
}

export class Operator {
  readonly #site: Site

  constructor(site: Site) {
    this.#site = site
  }

  async open(url: string, cookie = ""): Promise<Page> {
    return this.#page(await this.#site.fetch(url, { headers: { cookie } }), cookie)
  }

  /** Sends the form as a browser would that is on the page. */
  async send(path: string, page: Page, fields: Record<string, string | readonly string[]>, headers: Record<string, string> = {}): Promise<Page> {
    const form = new URLSearchParams({ request: page.id ?? "" })
    for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, each)
    const answer = await this.#site.fetch(this.#site.url + path, {
      method: "POST",
      headers: { cookie: page.cookie, origin: this.#site.url, "sec-fetch-site": "same-origin", ...headers },
      body: form,
    })
    return this.#page(answer, page.cookie)
  }

  unlock(page: Page, secret = SECRET, headers = {}): Promise<Page> {
    return this.send("/authorize/secret", page, { secret, decision: "continue" }, headers)
  }

  allow(page: Page, fields: Record<string, string | readonly string[]> = {}, headers = {}): Promise<Page> {
    return this.send("/authorize/decision", page, { decision: "allow", workdir: "main", access: "read-only", lasts: "1d", ...fields }, headers)
  }

  /** The whole conversation: the URL that the client gets its answer at. */
  async grant(url: string, fields: Record<string, string | readonly string[]> = {}): Promise<URL> {
    const left = await this.allow(await this.unlock(await this.open(url)), fields)
    const location = left.headers.get("location")
    if (location === null) throw new Error(`${left.status} ${left.text}`)
    return new URL(location)
  }

  async #page(answer: Response, cookie: string): Promise<Page> {
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      id: /name="request" value="([^"]+)"/.exec(text)?.[1] ?? null,
      cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? cookie,
    }
  }
}

export interface TokenAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, string | undefined>
}

export async function tokenRequest(site: Site, parameters: Record<string, string>, path = "/token"): Promise<TokenAnswer> {
  const answer = await site.fetch(site.url + path, { method: "POST", body: new URLSearchParams(parameters) })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === "" ? {} : JSON.parse(text) }
}

type Fields = Record<string, string | readonly string[]>

/** From nothing to a code: the request that turns it in. */
export async function authorized(site: Site, fields: Fields = {}, changes: Record<string, string | null> = {}) {
  const clientId = await registered(site)
  const { url, verifier } = asked(site, clientId, changes)
  const code = (await new Operator(site).grant(url, fields)).searchParams.get("code") ?? ""
  return { grant_type: "authorization_code", client_id: clientId, code, code_verifier: verifier, redirect_uri: REDIRECT }
}

/** From nothing to tokens. */
export async function connected(site: Site, fields: Fields = {}, changes: Record<string, string | null> = {}) {
  const redemption = await authorized(site, fields, changes)
  const { body } = await tokenRequest(site, redemption)
  return { clientId: redemption.client_id, redemption, accessToken: body["access_token"] ?? "", refreshToken: body["refresh_token"] ?? "" }
}

/** The status of a tool call with this token. */
export async function call(site: Site, accessToken: string, mount = "/mcp"): Promise<number> {
  const answer = await site.fetch(`${site.url}${mount}/read_note`, {
    method: "POST",
    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" },
    body: JSON.stringify({ board: "main", path: "a.txt" }),
  })
  await answer.body?.cancel()
  return answer.status
}
