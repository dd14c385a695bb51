/** Named tokens: who may come in, and how far. Only digests of their texts are kept. */
import type { Database, Statement } from "bun:sqlite"
import { PATIENTLY } from "./patience.ts"
import { digestOf, newTokenText } from "./token-text.ts"

/** Times are milliseconds since the epoch; null rights = all. */
export interface TokenRights {
  readonly mounts: readonly string[] | null
  readonly workdirs: readonly string[] | null
  readonly readOnly: boolean
  readonly expires: number | null
}

/** What the bearer check needs to know. */
export interface TokenGrant extends TokenRights {
  readonly name: string
  readonly hash: Uint8Array
}

/** What an operator may see. */
export interface TokenListing extends TokenRights {
  readonly name: string
  readonly created: number
  /** To the minute. */
  readonly lastUsed: number | null
}

interface RightsRow {
  readonly name: string
  readonly expires: number | null
  readonly mounts: string | null
  readonly workdirs: string | null
  readonly read_only: number
}

interface GrantRow extends RightsRow {
  readonly hash: Uint8Array
}

interface ListingRow extends RightsRow {
  readonly created: number
  readonly last_used: number | null
}

type NewRow = [name: string, hash: Uint8Array, created: number, expires: number | null, mounts: string | null, workdirs: string | null, readOnly: number]

const USE_RESOLUTION_MS = 60_000

function names(json: string | null): readonly string[] | null {
  return json === null ? null : JSON.parse(json)
}

function rightsOf({ expires, mounts, workdirs, read_only }: RightsRow): TokenRights {
  return { expires, mounts: names(mounts), workdirs: names(workdirs), readOnly: read_only !== 0 }
}

export class Tokens {
  readonly #db: Database
  readonly #find: Statement<GrantRow, [Uint8Array]>
  readonly #used = new Map<string, number>()

  constructor(db: Database) {
    this.#db = db
    this.#find = db.query("SELECT name, hash, expires, mounts, workdirs, read_only FROM tokens WHERE hash = ?")
  }

  /** Makes a token and gives its text, the only time anybody sees it; null when the name is taken. */
  create(name: string, rights: TokenRights, now: number): string | null {
    const text = newTokenText("sfs_")
    const { changes } = this.#db
      .query<never, NewRow>(
        "INSERT INTO tokens (name, hash, created, expires, mounts, workdirs, read_only) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
      )
      .run(
        name,
        digestOf(text),
        now,
        rights.expires,
        rights.mounts && JSON.stringify(rights.mounts),
        rights.workdirs && JSON.stringify(rights.workdirs),
        Number(rights.readOnly),
      )
    return changes === 1 ? text : null
  }

  /** Makes a token in the place of any of that name, which is revoked by it. */
  replace(name: string, rights: TokenRights, now: number): string {
    return this.#db.transaction(() => {
      this.revoke(name)
      const text = this.create(name, rights, now)
      if (text === null) throw new Error("a revoked token is still there")
      return text
    }).immediate()
  }

  /** Oldest first, expired ones too. */
  list(): readonly TokenListing[] {
    const rows = this.#db.query<ListingRow, []>("SELECT * FROM tokens ORDER BY created, name").all()
    return rows.map((row) => ({ name: row.name, created: row.created, lastUsed: row.last_used, ...rightsOf(row) }))
  }

  /** False when there is no such token. Every later find() misses it, in this process and in any other. */
  revoke(name: string): boolean {
    return this.#db.query<never, [string]>("DELETE FROM tokens WHERE name = ?").run(name).changes === 1
  }

  /** The token with this digest, expired or not. Asks the database each time (8 µs), so that a revocation counts at once. */
  find(digest: Uint8Array): TokenGrant | null {
    const row = this.#find.get(digest)
    return row && { name: row.name, hash: row.hash, ...rightsOf(row) }
  }

  /** How many have not expired. */
  countLive(now: number): number {
    const row = this.#db.query<{ live: number }, [number]>("SELECT count(*) AS live FROM tokens WHERE expires IS NULL OR expires > ?").get(now)
    return row?.live ?? 0
  }

  /**
   * Remembers that a token was used, once a minute at most. It is a convenience for the operator and never worth a wait:
   * no fsync, and when the database is busy or the disk is full it is let go.
   */
  touch(name: string, now: number): void {
    if (now - (this.#used.get(name) ?? 0) < USE_RESOLUTION_MS) return
    this.#used.set(name, now)
    try {
      this.#db.run("PRAGMA busy_timeout = 0")
      this.#db.run("PRAGMA synchronous = NORMAL")
      this.#db.query<never, [number, string]>("UPDATE tokens SET last_used = ? WHERE name = ?").run(now, name)
    } catch {
      // Busy or full.
    } finally {
      this.#db.run("PRAGMA synchronous = FULL")
      this.#db.run(PATIENTLY)
    }
  }
}
