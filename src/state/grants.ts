/** What the operator granted to OAuth clients. Everything a client holds hangs on its grant and goes with it. */
import type { Database, Statement } from "bun:sqlite"
import { randomBytes } from "node:crypto"

/** What was agreed on the consent page. Times are milliseconds since the epoch. */
export interface GrantTerms {
  readonly clientId: string
  readonly clientName: string
  /** The one mount it opens, and the URL of it that tokens are bound to. */
  readonly mount: string
  readonly resource: string
  readonly workdirs: readonly string[]
  readonly readOnly: boolean
  /** null = until it is revoked or lapses. */
  readonly expires: number | null
}

export interface Grant extends GrantTerms {
  readonly id: string
  /** As the audit names its holder: `grant:claude.ai#3f9a01c2de`. */
  readonly name: string
  readonly created: number
  /** When a token was last fetched, which happens once an hour while it is used; null = not yet. */
  readonly lastUsed: number | null
}

export interface GrantRow {
  readonly id: string
  readonly client_id: string
  readonly client_name: string
  readonly mount: string
  readonly resource: string
  readonly workdirs: string
  readonly read_only: number
  readonly created: number
  readonly expires: number | null
  readonly lapses: number
  readonly last_used: number | null
}

type NewRow = [string, string, string, string, string, string, number, number, number | null, number]

/** A grant lapses when no token was fetched for so long. */
export const IDLE_MS = 30 * 24 * 3600 * 1000

function labelOf(clientId: string, clientName: string): string {
  if (clientId.startsWith("https://")) return new URL(clientId).hostname
  return clientName.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 40)
}

export function grantOf(row: GrantRow): Grant {
  return {
    id: row.id,
    name: `grant:${labelOf(row.client_id, row.client_name)}#${row.id}`,
    clientId: row.client_id,
    clientName: row.client_name,
    mount: row.mount,
    resource: row.resource,
    workdirs: JSON.parse(row.workdirs),
    readOnly: row.read_only !== 0,
    created: row.created,
    expires: row.expires,
    lastUsed: row.last_used,
  }
}

/** The earlier of an idle end and the grant's own. */
export function capped(end: number, expires: number | null): number {
  return expires === null ? end : Math.min(end, expires)
}

export class Grants {
  readonly #db: Database
  readonly #byToken: Statement<GrantRow & { readonly hash: Uint8Array }, [Uint8Array, number]>

  constructor(db: Database) {
    this.#db = db
    this.#byToken = db.query("SELECT grants.*, hash FROM access_tokens JOIN grants ON grants.id = grant_id WHERE hash = ? AND access_tokens.expires > ?")
  }

  /** @param lapses when it goes unless a token was fetched by then */
  create(terms: GrantTerms, lapses: number, now: number): Grant {
    this.#db.query<never, [number]>("DELETE FROM grants WHERE lapses <= ?").run(now)
    const row = this.#db
      .query<GrantRow, NewRow>(
        `INSERT INTO grants (id, client_id, client_name, mount, resource, workdirs, read_only, created, expires, lapses)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
      )
      .get(
        randomBytes(5).toString("hex"),
        terms.clientId,
        terms.clientName,
        terms.mount,
        terms.resource,
        JSON.stringify(terms.workdirs),
        Number(terms.readOnly),
        now,
        terms.expires,
        capped(lapses, terms.expires),
      )
    if (row === null) throw new Error("a grant that was just made is not there")
    return grantOf(row)
  }

  /** Those that are in force, oldest first. */
  list(now: number): readonly Grant[] {
    return this.#db.query<GrantRow, [number]>("SELECT * FROM grants WHERE lapses > ? ORDER BY created, id").all(now).map(grantOf)
  }

  /** False when there is no such grant. Its codes and tokens go with it: the next call is refused, in every process. */
  revoke(id: string): boolean {
    return this.#db.query<never, [string]>("DELETE FROM grants WHERE id = ?").run(id).changes === 1
  }

  /** The grant behind an access token that has not expired, and the digest as it is kept. */
  findByToken(digest: Uint8Array, now: number): { readonly grant: Grant; readonly hash: Uint8Array } | null {
    const row = this.#byToken.get(digest, now)
    return row && { grant: grantOf(row), hash: row.hash }
  }
}
