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
  // 2: the OAuth authorization server. Hashes are SHA-256 of a text of 256 random bits, but for the operator's secret (Argon2id).
  // A grant lapses when no token was fetched in time; `parent` is the refresh token that was turned in for this one.
  `CREATE TABLE operator_secret (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    hash TEXT NOT NULL,
    changed INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE clients (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    created INTEGER NOT NULL,
    used INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    client_id TEXT NOT NULL,
    client_name TEXT NOT NULL,
    mount TEXT NOT NULL,
    resource TEXT NOT NULL,
    workdirs TEXT NOT NULL,
    read_only INTEGER NOT NULL,
    created INTEGER NOT NULL,
    expires INTEGER,
    lapses INTEGER NOT NULL,
    last_used INTEGER
  ) STRICT;
  CREATE INDEX grants_by_client ON grants (client_id);
  CREATE TABLE codes (
    hash BLOB PRIMARY KEY,
    grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL,
    challenge TEXT NOT NULL,
    expires INTEGER NOT NULL,
    used INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX codes_by_grant ON codes (grant_id);
  CREATE TABLE access_tokens (
    hash BLOB PRIMARY KEY,
    grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    expires INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX access_tokens_by_grant ON access_tokens (grant_id);
  CREATE TABLE refresh_tokens (
    hash BLOB PRIMARY KEY,
    grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    parent BLOB,
    created INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX refresh_tokens_by_grant ON refresh_tokens (grant_id)`,
]
