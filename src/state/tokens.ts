/** Named tokens: who may come in, and how far. Only digests of their texts are kept. */
import type { Database, Statement } from "bun:sqlite"
import { digestOf, newTokenText } from "./token-text.ts"

/** Times are milliseconds since the epoch; null rights = all. */
export interface TokenRights {
  readonly mounts: readonly string[] | null
  readonly workdirs: readonly string[] | null
  readonly readOnly: boolean
  readonly expires: number | null
}

export interface Token extends TokenRights {
  readonly name: string
  readonly hash: Uint8Array
  readonly created: number
  /** To the minute. */
  readonly lastUsed: number | null
}

interface Row {
  readonly name: string
  readonly hash: Uint8Array
  readonly created: number
  readonly expires: number | null
  readonly last_used: number | null
  readonly mounts: string | null
  readonly workdirs: string | null
  readonly read_only: number
}

type NewRow = [name: string, hash: Uint8Array, created: number, expires: number | null, mounts: string | null, workdirs: string | null, readOnly: number]

const USE_RESOLUTION_MS = 60_000

function names(json: string | null): readonly string[] | null {
  return json === null ? null : JSON.parse(json)
}

function tokenOf({ name, hash, created, expires, last_used, mounts, workdirs, read_only }: Row): Token {
  return { name, hash, created, expires, lastUsed: last_used, mounts: names(mounts), workdirs: names(workdirs), readOnly: read_only !== 0 }
}

export class Tokens {
  readonly #db: Database
  readonly #find: Statement<Row, [Uint8Array]>
  readonly #used = new Map<string, number>()

  constructor(db: Database) {
    this.#db = db
    this.#find = db.query("SELECT * FROM tokens WHERE hash = ?")
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
  list(): readonly Token[] {
    return this.#db.query<Row, []>("SELECT * FROM tokens ORDER BY created, name").all().map(tokenOf)
  }

  /** False when there is no such token. Every later find() misses it, in this process and in any other. */
  revoke(name: string): boolean {
    return this.#db.query<never, [string]>("DELETE FROM tokens WHERE name = ?").run(name).changes === 1
  }

  /** The token with this digest, expired or not. Asks the database each time (7 µs), so that a revocation counts at once. */
  find(digest: Uint8Array): Token | null {
    const row = this.#find.get(digest)
    return row && tokenOf(row)
  }

  /** Whether any token is there that has not expired. */
  anyLive(now: number): boolean {
    return this.#db.query<unknown, [number]>("SELECT 1 FROM tokens WHERE expires IS NULL OR expires > ?").get(now) !== null
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
      this.#db.run("PRAGMA busy_timeout = 2000")
    }
  }
}
