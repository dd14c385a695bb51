import { FaultError } from "../config/fault-error.ts"

/** The state directory can't be used as it is; the message holds the fix. */
export class StateFault extends FaultError {
  constructor(message: string) {
    super("SERVERFS_STATE_DIR", message)
  }
}

/** For a database that SQLite can't use. */
export function unusable(path: string, { message }: Error): StateFault {
  return new StateFault(`${path} can't be used (${message}); mend it, or move it away and make new tokens`)
}

/** For a database that a newer program wrote: it may hold rules that this one would not heed. */
export function tooNew(version: number, known: number): StateFault {
  return new StateFault(`it was written by a newer serverfs (state version ${version}, this one knows ${known}); run that one, or name another directory`)
}
