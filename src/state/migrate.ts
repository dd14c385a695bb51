/** Brings a database to the schema that this program knows. */
import type { Database } from "bun:sqlite"
import { MIGRATIONS } from "./migrations.ts"
import { StateFault } from "./state-fault.ts"

/** How many steps the database has been through. */
export function versionOf(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0
}

/** Throws StateFault when a newer program wrote the database: it may hold rules that this one would not heed. */
export function assertKnownVersion(version: number, known = MIGRATIONS.length): void {
  if (version <= known) return
  throw new StateFault(`it was written by a newer serverfs (state version ${version}, this one knows ${known}); run that one, or name another directory`)
}

/**
 * Runs the steps that are missing, all or none; two processes that start at once run them once.
 * @throws StateFault as assertKnownVersion() does
 */
export function migrate(db: Database, steps: readonly string[] = MIGRATIONS): void {
  const run = db.transaction(() => {
    const from = versionOf(db)
    assertKnownVersion(from, steps.length)
    for (const step of steps.slice(from)) db.run(step)
    db.run(`PRAGMA user_version = ${steps.length}`)
  })
  if (versionOf(db) !== steps.length) run.immediate()
}
