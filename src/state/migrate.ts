/** Brings a database to the schema that this program knows. */
import type { Database } from "bun:sqlite"
import { MIGRATIONS } from "./migrations.ts"
import { StateFault } from "./state-fault.ts"

function version(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0
}

/**
 * Runs the steps that are missing, all or none; two processes that start at once run them once.
 * @throws StateFault when the database was written by a newer program: it may hold rules that this one would not heed
 */
export function migrate(db: Database, steps: readonly string[] = MIGRATIONS): void {
  const run = db.transaction(() => {
    const from = version(db)
    if (from > steps.length) {
      throw new StateFault(`it was written by a newer serverfs (state version ${from}, this one knows ${steps.length}); run that one, or name another directory`)
    }
    for (const step of steps.slice(from)) db.run(step)
    db.run(`PRAGMA user_version = ${steps.length}`)
  })
  if (version(db) !== steps.length) run.immediate()
}
