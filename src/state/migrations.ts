/**
 * The schema, as the steps that lead to it. A step is never edited once released: what is new is a new step at the end.
 * The number of steps that a database has been through is its version (PRAGMA user_version).
 */
export const MIGRATIONS: readonly string[] = [
  // 1: named tokens. Times are milliseconds since the epoch; mounts and workdirs are JSON arrays, null = all.
  `CREATE TABLE tokens (
    name TEXT PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    expires INTEGER,
    last_used INTEGER,
    mounts TEXT,
    workdirs TEXT,
    read_only INTEGER NOT NULL
  ) STRICT`,
]
