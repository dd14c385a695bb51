/** Names in the state directory. */
export const STATE_FILE = "state.db"
export const LOCK_FILE = "gateway.lock"

/** What SQLite keeps beside a database, under the same name with this at its end. */
const BESIDE = ["-wal", "-shm", "-journal"]

/** Every name there that the gateway has a use for. */
export const STATE_FILES: readonly string[] = [STATE_FILE, LOCK_FILE].flatMap((name) => [name, ...BESIDE.map((end) => name + end)])
