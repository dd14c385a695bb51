/** For the help of every command that works on what the gateway works on. */
export const SAME_AS_GATEWAY = `Takes --env-file, --dir, --host and --port as well. Give it what the gateway was given, above all the same
SERVERFS_STATE_DIR, and run it as the same user: otherwise it works on something else.
`
