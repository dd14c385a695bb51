/** OAuth clients that registered themselves (RFC 7591). Anybody may, so they are few, and go when nobody uses them. */
import type { Database } from "bun:sqlite"
import { randomUUID } from "node:crypto"

export interface RegisteredClient {
  readonly id: string
  /** What it calls itself. */
  readonly name: string
  readonly redirectUris: readonly string[]
  /** Milliseconds since the epoch. */
  readonly created: number
}

interface ClientRow {
  readonly id: string
  readonly name: string
  readonly redirect_uris: string
  readonly created: number
}

export const MAX_CLIENTS = 1000
/** Clients keep the id they were given for a long time, and can't tell that we forgot it. */
export const UNUSED_CLIENT_MS = 90 * 24 * 3600 * 1000

const WITHOUT_GRANT = "NOT EXISTS (SELECT 1 FROM grants WHERE grants.client_id = clients.id)"

export class Clients {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Makes room first: what was not used for 90 days goes, and beyond 1,000 the longest unused. A client with a grant stays. */
  register(name: string, redirectUris: readonly string[], now: number): RegisteredClient {
    const client = { id: randomUUID(), name, redirectUris, created: now }
    this.#db.transaction(() => {
      this.#db.query<never, [number]>(`DELETE FROM clients WHERE used < ? AND ${WITHOUT_GRANT}`).run(now - UNUSED_CLIENT_MS)
      this.#db
        .query<never, [string, string, string, number, number]>("INSERT INTO clients (id, name, redirect_uris, created, used) VALUES (?, ?, ?, ?, ?)")
        .run(client.id, name, JSON.stringify(redirectUris), now, now)
      this.#db
        .query<never, [number]>(
          `DELETE FROM clients WHERE id IN (SELECT id FROM clients WHERE ${WITHOUT_GRANT} ORDER BY used, rowid LIMIT max(0, (SELECT count(*) FROM clients) - ?))`,
        )
        .run(MAX_CLIENTS)
    }).immediate()
    return client
  }

  find(id: string): RegisteredClient | null {
    const row = this.#db.query<ClientRow, [string]>("SELECT id, name, redirect_uris, created FROM clients WHERE id = ?").get(id)
    return row && { id: row.id, name: row.name, redirectUris: JSON.parse(row.redirect_uris), created: row.created }
  }

  /** Remembers that the operator granted it something: the 90 days begin anew. */
  touch(id: string, now: number): void {
    this.#db.query<never, [number, string]>("UPDATE clients SET used = ? WHERE id = ?").run(now, id)
  }
}
