/** Authorization codes: a minute long, good once, bound to who asked and how (RFC 6749 §4.1, RFC 7636). */
import type { Database } from "bun:sqlite"
import type { Grant, Grants, GrantTerms } from "./grants.ts"
import type { Claim, Refusal, TokenPair, TokenPairs } from "./token-pairs.ts"
import { digestOf, newTokenText } from "./token-text.ts"

/** The client fetches its tokens at once, by itself. */
const CODE_MS = 60_000

/** What the authorization request bound the code to. */
export interface CodeBinding {
  readonly redirectUri: string
  /** base64url of the SHA-256 of the verifier. */
  readonly challenge: string
}

interface CodeRow {
  readonly grant_id: string
  readonly redirect_uri: string
  readonly challenge: string
  readonly expires: number
  readonly used: number
  readonly client_id: string
  readonly resource: string
  readonly grant_expires: number | null
}

export class Codes {
  readonly #db: Database
  readonly #grants: Grants
  readonly #pairs: TokenPairs

  constructor(db: Database, grants: Grants, pairs: TokenPairs) {
    this.#db = db
    this.#grants = grants
    this.#pairs = pairs
  }

  /** Makes a grant, and the one code that it can be fetched with; without that the grant is gone in a minute too. */
  issue(terms: GrantTerms, { redirectUri, challenge }: CodeBinding, now: number): { readonly grant: Grant; readonly code: string } {
    const code = newTokenText("sfc_")
    return this.#db.transaction(() => {
      const grant = this.#grants.create(terms, now + CODE_MS, now)
      this.#db
        .query<never, [Uint8Array, string, string, string, number]>("INSERT INTO codes (hash, grant_id, redirect_uri, challenge, expires) VALUES (?, ?, ?, ?, ?)")
        .run(digestOf(code), grant.id, redirectUri, challenge, now + CODE_MS)
      return { grant, code }
    }).immediate()
  }

  /** Turns a code in. Only a request that is right in everything uses it up, and only such a one, made again, tells of a copy. */
  redeem(text: string, { clientId, resource, redirectUri, challenge }: Claim & CodeBinding, now: number): TokenPair | Refusal {
    const digest = digestOf(text)
    return this.#db.transaction((): TokenPair | Refusal => {
      const row = this.#db
        .query<CodeRow, [Uint8Array]>(
          "SELECT codes.*, client_id, resource, grants.expires AS grant_expires FROM codes JOIN grants ON grants.id = grant_id WHERE hash = ?",
        )
        .get(digest)
      if (row === null || row.client_id !== clientId || row.redirect_uri !== redirectUri || row.challenge !== challenge) return { refused: "unknown" }
      if (row.used !== 0) return this.#pairs.revokeReused(row.grant_id)
      if (row.expires <= now) return { refused: "unknown" }
      if (resource !== null && resource !== row.resource) return { refused: "target" }
      this.#db.query<never, [Uint8Array]>("UPDATE codes SET used = 1 WHERE hash = ?").run(digest)
      return this.#pairs.issue({ id: row.grant_id, expires: row.grant_expires }, null, now)
    }).immediate()
  }
}
