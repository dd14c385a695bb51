/** The one secret that opens the OAuth consent page. Chosen by a person, so it is kept as a slow hash. */
import type { Database } from "bun:sqlite"

/** OWASP's floor for Argon2id; more memory would be the gateway's, each time somebody tries a secret. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const

export const MIN_SECRET_CHARS = 12
/** What is longer is not hashed: it would only be work for us. */
export const MAX_SECRET_CHARS = 1024

export class OperatorSecret {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  get exists(): boolean {
    return this.#hash() !== null
  }

  /** Replaces any that was set. Counts from the next attempt on, in a gateway that is running too. */
  async set(secret: string, now: number): Promise<void> {
    const hash = await Bun.password.hash(secret, ARGON2ID)
    this.#db
      .query<never, [string, number]>("INSERT INTO operator_secret (one, hash, changed) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET hash = excluded.hash, changed = excluded.changed")
      .run(hash, now)
  }

  /** False when none was set. */
  remove(): boolean {
    return this.#db.query<never, []>("DELETE FROM operator_secret").run().changes === 1
  }

  /** Slow by design, off the event loop. The caller bounds how often. */
  async matches(secret: string): Promise<boolean> {
    const hash = this.#hash()
    if (hash === null || secret === "" || secret.length > MAX_SECRET_CHARS) return false
    return Bun.password.verify(secret, hash)
  }

  #hash(): string | null {
    return this.#db.query<{ hash: string }, []>("SELECT hash FROM operator_secret").get()?.hash ?? null
  }
}
