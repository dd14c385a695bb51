/** How long a statement waits for another process that has locked the database. */
export const BUSY_MS = 2000

export const PATIENTLY = `PRAGMA busy_timeout = ${BUSY_MS}`
