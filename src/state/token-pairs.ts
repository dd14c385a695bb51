/** Access tokens for an hour, and the refresh tokens that are turned in for the next pair (protocol §3). */
import type { Database } from "bun:sqlite"
import { capped, IDLE_MS } from "./grants.ts"
import { digestOf, newTokenText } from "./token-text.ts"

const ACCESS_MS = 3600 * 1000
/** Answers get lost, and are asked for again: so many unused successors of one refresh token are kept. */
const MAX_SUCCESSORS = 4

/** Texts, shown this once. */
export interface TokenPair {
  readonly accessToken: string
  /** Seconds. */
  readonly expiresIn: number
  readonly refreshToken: string
}

export type Refusal =
  /** Not known, not the sender's, or no longer good. */
  | { readonly refused: "unknown" }
  /** Good, but for another resource than the one asked for. */
  | { readonly refused: "target" }
  /** It had been used up: somebody has a copy, so its grant is revoked. */
  | { readonly refused: "reused"; readonly grantId: string }

/** Who turns a code or a refresh token in, and for what. */
export interface Claim {
  readonly clientId: string
  /** null = whatever it is for. */
  readonly resource: string | null
}

interface RefreshRow {
  readonly grant_id: string
  readonly spent: number
  readonly client_id: string
  readonly resource: string
  readonly expires: number | null
  readonly lapses: number
}

interface GrantEnd {
  readonly id: string
  readonly expires: number | null
}

export class TokenPairs {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Call it in a transaction. @param parent the refresh token that was turned in, or null for a grant's first pair */
  issue(grant: GrantEnd, parent: Uint8Array | null, now: number): TokenPair {
    const [accessToken, refreshToken] = [newTokenText("sfa_"), newTokenText("sfr_")]
    const accessEnd = capped(now + ACCESS_MS, grant.expires)
    this.#db.query<never, [number]>("DELETE FROM access_tokens WHERE expires <= ?").run(now)
    this.#db.query<never, [number]>("DELETE FROM refresh_tokens WHERE spent = 1 AND created <= ?").run(now - IDLE_MS)
    this.#db
      .query<never, [Uint8Array, string, number]>("INSERT INTO access_tokens (hash, grant_id, expires) VALUES (?, ?, ?)")
      .run(digestOf(accessToken), grant.id, accessEnd)
    this.#db
      .query<never, [Uint8Array, string, Uint8Array | null, number]>("INSERT INTO refresh_tokens (hash, grant_id, parent, created) VALUES (?, ?, ?, ?)")
      .run(digestOf(refreshToken), grant.id, parent, now)
    this.#db
      .query<never, [number, number, string]>("UPDATE grants SET lapses = ?, last_used = ? WHERE id = ?")
      .run(capped(now + IDLE_MS, grant.expires), now, grant.id)
    return { accessToken, expiresIn: Math.ceil((accessEnd - now) / 1000), refreshToken }
  }

  /**
   * Turns a refresh token in. It stays good until a successor of it is used, since an answer may get lost on its way;
   * from then on whoever shows it, or a sibling of that successor, has a copy: the grant is revoked.
   */
  refresh(text: string, { clientId, resource }: Claim, now: number): TokenPair | Refusal {
    const digest = digestOf(text)
    return this.#db.transaction((): TokenPair | Refusal => {
      const row = this.#db
        .query<RefreshRow, [Uint8Array]>(
          "SELECT grant_id, spent, client_id, resource, expires, lapses FROM refresh_tokens JOIN grants ON grants.id = grant_id WHERE hash = ?",
        )
        .get(digest)
      if (row === null || row.client_id !== clientId || row.lapses <= now) return { refused: "unknown" }
      if (row.spent !== 0) return this.revokeReused(row.grant_id)
      if (resource !== null && resource !== row.resource) return { refused: "target" }
      this.#spendRelatives(row.grant_id, digest)
      return this.issue({ id: row.grant_id, expires: row.expires }, digest, now)
    }).immediate()
  }

  /** Somebody has a copy. */
  revokeReused(grantId: string): Refusal {
    this.#db.query<never, [string]>("DELETE FROM grants WHERE id = ?").run(grantId)
    return { refused: "reused", grantId }
  }

  /**
   * Gives up a token (RFC 7009): an access token alone, a refresh token with its whole grant.
   * @returns the grant that was revoked by it, or null
   */
  giveUp(text: string, clientId: string): string | null {
    const digest = digestOf(text)
    const mine = "hash = ? AND grant_id IN (SELECT id FROM grants WHERE client_id = ?)"
    this.#db.query<never, [Uint8Array, string]>(`DELETE FROM access_tokens WHERE ${mine}`).run(digest, clientId)
    return this.#db
      .query<{ id: string }, [Uint8Array, string]>(`DELETE FROM grants WHERE id = (SELECT grant_id FROM refresh_tokens WHERE ${mine}) RETURNING id`)
      .get(digest, clientId)?.id ?? null
  }

  /** Its parent and its siblings are spent by its use; of its successors, which nobody used yet, the latest stay. */
  #spendRelatives(grantId: string, digest: Uint8Array): void {
    this.#db
      .query<never, [string, Uint8Array, Uint8Array]>("UPDATE refresh_tokens SET spent = 1 WHERE grant_id = ? AND hash IS NOT ? AND parent IS NOT ?")
      .run(grantId, digest, digest)
    this.#db
      .query<never, [Uint8Array, number]>(
        "DELETE FROM refresh_tokens WHERE hash IN (SELECT hash FROM refresh_tokens WHERE parent = ? ORDER BY created DESC, rowid DESC LIMIT -1 OFFSET ?)",
      )
      .run(digest, MAX_SUCCESSORS - 1)
  }
}
