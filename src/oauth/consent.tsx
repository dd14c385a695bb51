/** @jsxImportSource hono/jsx */
/** The conversation with the operator: who asks, the secret, what to allow, and back to the client. */
import type { Audit } from "../audit/audit.ts"
import type { State } from "../state/state.ts"
import type { Attempts } from "./attempts.ts"
import type { AuthorizationRequest } from "./authorization-request.ts"
import { cookieOf, newBrowser } from "./browser.ts"
import { documentUrl } from "./client-id.ts"
import { clientNameIn } from "./document/client-document.ts"
import { DocumentFault } from "./document/fetch-document.ts"
import { DecisionPage } from "./page/decision-page.tsx"
import { MessagePage } from "./page/message-page.tsx"
import { renderPage } from "./page/render.ts"
import { SecretPage } from "./page/secret-page.tsx"
import { Pending } from "./pending.ts"
import { answerUrl } from "./redirect-uri.ts"
import { type Choice, choiceIn, leastChoice, termsOf } from "./terms.ts"

export interface ConsentOptions {
  readonly issuer: string
  readonly state: Pick<State, "operatorSecret" | "clients" | "codes">
  readonly audit: Audit
  readonly attempts: Attempts
  readonly fetchDocument: (url: URL) => Promise<string>
}

/** One form that was sent. */
export interface Sent {
  readonly form: URLSearchParams
  readonly browser: string | null
  /** The client's address, and what counts as one source of attempts. */
  readonly address: string | null
  readonly source: string
  readonly now: number
}

export class Consent {
  readonly #options: ConsentOptions
  readonly #host: string
  /** Until the secret is given nothing is fetched, and nobody is sent anywhere. */
  readonly #locked = new Pending<AuthorizationRequest>()
  readonly #unlocked = new Pending<AuthorizationRequest>()
  /** One at a time: each takes memory and a core. */
  #checking: Promise<unknown> = Promise.resolve()

  constructor(options: ConsentOptions) {
    this.#options = options
    this.#host = new URL(options.issuer).host
  }

  /** The first page. */
  begin(request: AuthorizationRequest, known: string | null, now: number): Promise<Response> {
    const browser = known ?? newBrowser()
    return this.#secretPage(request, this.#locked.add(request, browser, now), null, { headers: { "Set-Cookie": cookieOf(browser) } })
  }

  /** The first page's form: refused at once, or the secret. */
  async unlock({ form, browser, address, source, now }: Sent): Promise<Response> {
    const { audit, attempts } = this.#options
    const id = form.get("request") ?? ""
    const request = browser === null ? null : this.#locked.find(id, browser, now)
    if (browser === null || request === null) return this.expired()
    if (form.get("decision") === "deny") {
      this.#locked.take(id, browser, now)
      audit.event("oauth_denied", { client_id: request.asker.id, client: address }, "INFO", "droppable")
      return this.message("Nothing was granted", "The request is thrown away.", "You can close this page.")
    }
    const wait = attempts.begin(source, now)
    if (wait > 0) return this.#secretPage(request, id, `Too many wrong secrets. Try again in ${waitText(wait)}.`, { status: 429, headers: { "Retry-After": String(wait) } })
    if (!(await this.#isOperator(form.get("secret") ?? ""))) {
      audit.event("oauth_secret_failed", { client: address }, "WARNING")
      return this.#secretPage(request, id, "That is not the operator secret.", { status: 403 })
    }
    attempts.succeeded(source)
    if (this.#locked.take(id, browser, now) === null) return this.expired()
    return this.#identified(request, browser, now)
  }

  /** The second page's form: what was decided. */
  async decide({ form, browser, address, now }: Sent): Promise<Response> {
    const { issuer, state, audit } = this.#options
    const id = form.get("request") ?? ""
    const request = browser === null ? null : this.#unlocked.find(id, browser, now)
    if (browser === null || request === null) return this.expired()
    const { target, challenge } = request
    if (form.get("decision") !== "allow") {
      this.#unlocked.take(id, browser, now)
      audit.event("oauth_denied", { client_id: request.asker.id, client: address }, "INFO", "droppable")
      return leave(answerUrl(target.uri, { error: "access_denied", state: request.state, iss: issuer }))
    }
    const choice = choiceIn(form, request.offers)
    const terms = termsOf(choice, request, now)
    if (typeof terms === "string") return this.#decisionPage(request, id, choice, terms, 400)
    if (audit.stalled) return this.#decisionPage(request, id, choice, "The audit log is stuck, and what is not recorded is not granted. Try again when it runs.", 503)
    this.#unlocked.take(id, browser, now)
    const { grant, code } = state.codes.issue(terms, { redirectUri: target.uri, challenge }, now)
    state.clients.touch(terms.clientId, now)
    const { mount, workdirs, readOnly } = grant
    audit.event("oauth_granted", { grant: grant.name, client_id: terms.clientId, name: terms.clientName, redirect: target.place, mount, workdirs, read_only: readOnly, expires: isoTime(grant.expires), client: address }, "INFO", "kept")
    return leave(answerUrl(target.uri, { code, state: request.state, iss: issuer }))
  }

  expired(): Promise<Response> {
    return this.message("This page is no longer good", "It was answered already, is older than ten minutes, or was opened in another browser.", "Start again in the application that you want to connect.", 400)
  }

  /** @param wait seconds */
  tooMany(wait: number): Promise<Response> {
    return this.message("Too many requests", `Wait ${wait} seconds, then try again.`, "Nothing was granted.", 429, { "Retry-After": String(wait) })
  }

  message(title: string, message: string, advice: string, status = 200, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return renderPage(<MessagePage host={this.#host} title={title} message={message} advice={advice} />, { status, headers })
  }

  /** The operator is here. Only now is a client's description fetched, or this would fetch for anybody. */
  async #identified(request: AuthorizationRequest, browser: string, now: number): Promise<Response> {
    const { audit, fetchDocument } = this.#options
    const { asker, target } = request
    const url = documentUrl(asker.id)
    try {
      const name = url === null ? asker.name : clientNameIn(await fetchDocument(url), url, target)
      const identified = { ...request, asker: { ...asker, name } }
      return await this.#decisionPage(identified, this.#unlocked.add(identified, browser, now), leastChoice(request.offers), null)
    } catch (error) {
      if (!(error instanceof DocumentFault)) throw error
      audit.event("oauth_document_refused", { client_id: asker.id, reason: error.message }, "WARNING")
      return this.message("This application can’t be told apart", `It says it is ${asker.id}, but ${error.message}.`, "Nothing was granted. Try again later, or ask whoever runs the application.", 502)
    }
  }

  #isOperator(secret: string): Promise<boolean> {
    const check = this.#checking.then(() => this.#options.state.operatorSecret.matches(secret))
    this.#checking = check.catch(() => {})
    return check
  }

  #secretPage(request: AuthorizationRequest, id: string, problem: string | null, options: { status?: number; headers?: Record<string, string> }): Promise<Response> {
    return renderPage(<SecretPage host={this.#host} id={id} problem={problem} {...request} />, { ...options, form: [] })
  }

  #decisionPage(request: AuthorizationRequest, id: string, choice: Choice, problem: string | null, status = 200): Promise<Response> {
    return renderPage(<DecisionPage host={this.#host} id={id} choice={choice} problem={problem} {...request} />, { status, form: [request.target.cspSource] })
  }
}

/** 303: the form, which may hold more than the client should know, is not sent on. */
function leave(url: string): Response {
  return new Response(null, { status: 303, headers: { Location: url, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" } })
}

function waitText(seconds: number): string {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
